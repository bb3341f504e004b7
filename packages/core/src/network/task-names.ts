import { NetworkError } from "../errors/network-error.js";
import { describeValue } from "../text/describe-value.js";
import { seenText } from "../text/seen-text.js";

const MAX_CHARACTERS = 200;

/** Words that say when a task starts: no list of names could tell a task of such a name from them. */
const RESERVED: ReadonlySet<string> = new Set(["none", "nothing", "optional", "inherit"]);

/** Throws NetworkError for what cannot name a task or a group. */
export function checkTaskName(network: string, what: "task" | "group", name: unknown): asserts name is string {
	const flaw = nameFlaw(name) ?? taskNameFlaw(name as string);
	if (flaw !== undefined) throw new NetworkError("invalid_name", network, `a ${what} cannot be named ${describeValue(name)}: ${flaw}.`);
}

/** Why something can name nothing of a network, its tasks included; `undefined` where it can. Names stand in messages, drawings and logs, on one line. */
export function nameFlaw(name: unknown): string | undefined {
	if (typeof name !== "string") return "a name is text";
	if (name.trim() === "") return "a name is not blank";
	if (name.length > MAX_CHARACTERS) return `a name has at most ${MAX_CHARACTERS} characters`;
	if (/[\t\n]/.test(name) || seenText(name) !== name) return "a name stands on one line, without control characters and what nobody sees";
	return undefined;
}

function taskNameFlaw(name: string): string | undefined {
	if (RESERVED.has(name)) return "that word says when a task starts. Take another name";
	// records put such names first, whatever the order in which they came
	if (/^(?:0|[1-9]\d*)$/.test(name))
		return `a whole number is no name, as it would lose its place among the others. Put a word before it: "task ${name}"`;
	return undefined;
}

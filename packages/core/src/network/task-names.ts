import { NetworkError } from "../errors/network-error.js";
import { describeValue } from "../text/describe-value.js";

const MAX_CHARACTERS = 200;

/** Words that say when a task starts: no list of names could tell a task of such a name from them. */
const RESERVED: ReadonlySet<string> = new Set(["none", "nothing", "optional", "inherit"]);

/** Throws NetworkError for what cannot name a task or a group: names stand in messages, drawings and logs, on one line. */
export function checkTaskName(network: string, what: "task" | "group", name: unknown): asserts name is string {
	const invalid = (why: string): NetworkError =>
		new NetworkError("invalid_name", network, `a ${what} cannot be named ${describeValue(name)}: ${why}.`);
	if (typeof name !== "string") throw invalid("a name is text");
	if (name.trim() === "") throw invalid("a name is not blank");
	if (name.length > MAX_CHARACTERS) throw invalid(`a name has at most ${MAX_CHARACTERS} characters`);
	if (/\p{Cc}|[\u2028\u2029]/u.test(name)) throw invalid("a name stands on one line, without control characters");
	if (RESERVED.has(name)) throw invalid("that word says when a task starts. Take another name");
}

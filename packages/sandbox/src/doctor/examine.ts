import type { ResourceLimits } from "@robot-lab/core";
import { limitsHere } from "../limits/limits-here.js";
import { type Attempt, type Laboratory, tryInside, tryOutside } from "./attempt.js";
import type { Check, DoctorRow } from "./check.js";

const LONGEST_SEEN = 160;

/** Tries one check: without confinement first, then inside. What that shows is a value; rejects only when the doctor itself cannot work. */
export async function examine(check: Check, laboratory: Laboratory): Promise<DoctorRow> {
	const says = check.says?.[laboratory.platform] ?? [];
	const about = {
		name: check.name,
		why: check.why,
		expected: check.expect === "works" ? "works" : `refused: ${check.refusedAs ?? says.join(" or ")}`,
	};
	const control = await tryControl(check, laboratory);
	if (control.skipped !== undefined) return { ...about, outcome: "skipped", seen: control.skipped };
	const inside = await tryInside(check, laboratory);
	const flaw = commonFlaw(inside, laboratory) ?? (check.expect === "works" ? flawOfWork(check, inside) : flawOfRefusal(inside, says));
	if (flaw !== undefined) return { ...about, outcome: "failed", seen: readable(flaw, inside) };
	if (control.refused !== undefined) return { ...about, outcome: "moot", seen: `refused without confinement, too: ${control.refused}` };
	return {
		...about,
		outcome: "ok",
		seen: check.expect === "works" ? "works" : (check.refusedAs ?? wordsIn(inside.output, says) ?? ""),
	};
}

/** What comes of it without confinement, unless it gets through there as it should. */
interface Control {
	/** Why it shows nothing to go on. */
	readonly skipped?: string;
	/** In which words the kernel refuses it. */
	readonly refused?: string;
}

async function tryControl(check: Check, laboratory: Laboratory): Promise<Control> {
	const command = check.run("");
	const why = typeof command === "string" ? command : await whyUnheld(check, laboratory);
	if (why !== undefined) return { skipped: why };
	if (check.onlyInside === true) return {};
	const outside = await tryOutside(check, laboratory);
	if (outside.isThrough) return {};
	const refused = wordsIn(outside.output, check.refusedAnyway ?? []);
	return refused === undefined ? { skipped: `does not work here even without confinement: ${gist(outside)}` } : { refused };
}

/** Why scripts that have a limit of the check's are not run here at all. */
async function whyUnheld({ limits = {} }: Check, { platform, backend }: Laboratory): Promise<string | undefined> {
	const wanted = Object.keys(limits) as (keyof ResourceLimits)[];
	if (wanted.length === 0) return undefined;
	const held = await limitsHere(platform, backend);
	return wanted.map((name) => held[name]).find((why) => why !== true);
}

function commonFlaw({ result }: Attempt, { backend }: Laboratory): string | undefined {
	const { refusal, confinement } = result;
	if (refusal !== undefined) return `the script was not run (${refusal.code}): ${refusal.message}`;
	return confinement === backend ? undefined : `the script ran with confinement "${confinement}"`;
}

function flawOfWork(check: Check, attempted: Attempt): string | undefined {
	if (!attempted.isThrough) return `does not work inside: ${gist(attempted)}`;
	return check.leftBehind?.(attempted);
}

function flawOfRefusal(attempted: Attempt, says: readonly string[]): string | undefined {
	if (attempted.isThrough) return "it got through";
	if (attempted.change !== undefined) return `it changed something: ${attempted.change}`;
	if (attempted.arrived > 0) return "a listener outside was reached";
	if (wordsIn(attempted.output, says) === undefined) return `it failed, but not as it should: ${gist(attempted)}`;
	return undefined;
}

/** Which of the words that were expected the output holds. */
const wordsIn = (output: string, says: readonly string[]): string | undefined => says.find((words) => output.includes(words));

/** How a script ended, in few words. */
function gist(attempted: Attempt): string {
	const { result } = attempted;
	const { refusal, timedOut, output, signal, exitCode } = result;
	if (refusal !== undefined) return refusal.message;
	if (timedOut) return "it took too long";
	const last = output.trim().split("\n").at(-1) ?? "";
	return last === "" ? `it ended with ${signal ?? `exit code ${exitCode}`} and said nothing` : readable(last, attempted);
}

/** Without the names of directories that are gone by now. */
function readable(text: string, { scene }: Attempt): string {
	const named = text
		.replaceAll(`${scene.file}: `, "")
		.replaceAll(`${scene.directory}/`, "")
		.replaceAll(scene.environment.HIDDEN ?? "", "~/hidden")
		.trim();
	return named.length > LONGEST_SEEN ? `${named.slice(0, LONGEST_SEEN)}…` : named;
}

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
	const command = check.run("");
	if (typeof command === "string") return { ...about, outcome: "skipped", seen: command };
	if (check.onlyInside !== true) {
		const outside = await tryOutside(check, laboratory);
		if (!outside.isThrough) return { ...about, outcome: "skipped", seen: `does not work here even without confinement: ${gist(outside)}` };
	}
	const inside = await tryInside(check, laboratory);
	const flaw = commonFlaw(inside, laboratory) ?? (check.expect === "works" ? flawOfWork(check, inside) : flawOfRefusal(inside, says));
	if (flaw !== undefined) return { ...about, outcome: "failed", seen: readable(flaw, inside) };
	return {
		...about,
		outcome: "ok",
		seen: check.expect === "works" ? "works" : (check.refusedAs ?? wordsIn(inside.output, says) ?? ""),
	};
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

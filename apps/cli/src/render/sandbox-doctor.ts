import type { DoctorReport, DoctorRow } from "@robot-lab/sandbox";
import { columns, wrapped } from "./columns.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

const OUTCOMES: Readonly<Record<DoctorRow["outcome"], string>> = {
	ok: "ok",
	failed: "FAILED",
	skipped: "skipped",
	moot: "moot",
	noted: "noted",
};
const REPORT = "Please report what failed, with this table and the version of the system, to the authors of Robot Lab.";

/** What was tried, what had to come of it and what did; what failed and what that means; and how many there are of each. */
export function renderDoctor(report: DoctorReport, style: Style, width: number): string[] {
	const { rows, unavailable } = report;
	if (unavailable !== undefined) return closing(report, style);
	const [heading = "", ...lines] = columns([
		["", "check", "expected", "seen"],
		...rows.map(({ outcome, name, expected, seen }) => [OUTCOMES[outcome], name, shortly(expected, outcome), printableLine(seen)]),
	]);
	const coloured = lines.map((line, index) => paint(line, rows[index]?.outcome, style));
	return [style.faint(heading), ...coloured, "", ...failures(rows, style, width), ...closing(report, style)];
}

/** Which words a refusal was to have matters only where they were not there. */
const shortly = (expected: string, outcome: DoctorRow["outcome"]): string =>
	outcome === "failed" ? printableLine(expected) : (expected.split(":", 1)[0] ?? expected);

function paint(line: string, outcome: DoctorRow["outcome"] | undefined, style: Style): string {
	if (outcome === "failed") return style.bad(line);
	return outcome === "skipped" || outcome === "moot" || outcome === "noted" ? style.faint(line) : line;
}

function failures(rows: readonly DoctorRow[], style: Style, width: number): string[] {
	const failed = rows.filter(({ outcome }) => outcome === "failed");
	if (failed.length === 0) return [];
	const lines = failed.flatMap(({ name, why }) => wrapped(`${name}: ${why}`, width - 2).map((line) => `  ${line}`));
	return [style.heading("What failed, and what that means"), ...lines, ""];
}

function closing({ rows, unavailable, backend, isHealthy, untried }: DoctorReport, style: Style): string[] {
	if (unavailable !== undefined) return [style.bad(`Nothing was checked (${unavailable.code}): ${printableLine(unavailable.message)}`)];
	const counts = countsOf(rows);
	const unknown = untried.length === 0 ? [] : [style.bad(`Not tried, though every computer can try it: ${untried.join("; ")}.`)];
	if (isHealthy && unknown.length > 0) return [`${counts} What was tried holds under ${backend}.`, ...unknown];
	if (isHealthy) return [`${style.good(counts)} ${backend} keeps scripts here to what they are granted.`];
	const gotThrough = rows.some(({ outcome, expected }) => outcome === "failed" && expected !== "works");
	const next = gotThrough ? "Run no script here that you do not trust." : "Nothing got through, but not all works that scripts may need.";
	return [`${style.bad(counts)} ${next} ${REPORT}`, ...unknown];
}

function countsOf(rows: readonly DoctorRow[]): string {
	const count = (outcome: DoctorRow["outcome"]): number => rows.filter((row) => row.outcome === outcome).length;
	const moot = count("moot") === 0 ? "" : `, ${count("moot")} moot (the kernel refuses them without confinement, too)`;
	return `${count("ok")} ok, ${count("failed")} failed, ${count("skipped")} skipped${moot}.`;
}

import type { ApprovalRequest } from "@robot-lab/core";
import { changesWords } from "./changes-words.js";
import { folded, widestFirst } from "./granted-paths.js";
import { printableEnds, printableLine } from "./printable.js";
import { rightsWords } from "./rights-words.js";

/** A question of more is cut where it is shown. */
const LONGEST_QUESTION = 4_000;

const LONGEST_INPUT = 400;
const LONGEST_PATH = 100;

/** What a bundle asks for is no more than a hint: of this many paths the widest are named. */
const MOST_ASKED = 8;

/**
 * What a person is asked before a script runs. Whatever comes of strangers stands behind a label, on one line, and cannot look like another one. The
 * bundle's path and what it gets are whole; `undefined`: they are too long for a question.
 */
export function approvalQuestion(request: ApprovalRequest): string | undefined {
	const { skill, path, digest, files, declared, grant, confined, tool, input } = request;
	const bundle = `${printableLine(path)} (${Object.keys(files).length} files, ${digest.slice(0, 19)}…)`;
	const rows = [
		["Skill", `${printableLine(skill, 80)} in ${bundle}`],
		["Script", `${printableLine(tool, 80)} ${printableEnds(JSON.stringify(input) ?? "", LONGEST_INPUT)}`],
		["Asks for", rightsWords(declared, hinted)],
		["Gets", confined ? rightsWords(grant, whole) : "everything that this user may do: it is not confined"],
		["Why", reasonWords(request)],
	] as const;
	const question = ["May scripts of this skill run?", ...rows.map(([label, text]) => `${label.padEnd(8)} ${text}`)].join("\n");
	return question.length > LONGEST_QUESTION ? undefined : question;
}

function reasonWords({ reason, changes }: ApprovalRequest): string {
	switch (reason) {
		case "first_run":
			return "it was not approved before";
		case "files_changed":
			return `it was changed since it was approved: ${changesWords(changes)}`;
		case "wider_grant":
			return "it was approved, and gets more now";
	}
}

const whole = (paths: readonly string[]): string =>
	folded(paths)
		.map((path) => printableLine(JSON.stringify(path)))
		.join(", ");

function hinted(paths: readonly string[]): string {
	const all = widestFirst(paths);
	const named = all.slice(0, MOST_ASKED).map((path) => printableEnds(JSON.stringify(path), LONGEST_PATH));
	return `${named.join(", ")}${all.length > MOST_ASKED ? ` and ${all.length - MOST_ASKED} more` : ""}`;
}

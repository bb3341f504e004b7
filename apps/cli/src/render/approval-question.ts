import type { ApprovalRequest, Capabilities } from "@robot-lab/core";
import { changesWords, listedNames } from "./changes-words.js";
import { printableLine } from "./printable.js";

const LONGEST = 200;

/** What a person is asked before a script runs. Whatever comes of strangers stands behind a label, on one line, and cannot look like another one. */
export function approvalQuestion(request: ApprovalRequest): string {
	const { skill, path, digest, files, declared, grant, confined, tool, input } = request;
	const bundle = `${printableLine(path, LONGEST)} (${Object.keys(files).length} files, ${digest.slice(0, 19)}…)`;
	const rows = [
		["Skill", `${printableLine(skill, 80)} in ${bundle}`],
		["Script", `${printableLine(tool, 80)} ${printableLine(JSON.stringify(input) ?? "", LONGEST)}`],
		["Asks for", grantWords(declared)],
		["Gets", confined ? grantWords(grant) : "everything that this user may do: it is not confined"],
		["Why", reasonWords(request)],
	] as const;
	return ["May scripts of this skill run?", ...rows.map(([label, text]) => `${label.padEnd(8)} ${text}`)].join("\n");
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

function grantWords({ fsRead, fsWrite, network }: Capabilities): string {
	const words = [
		...(fsRead.length > 0 ? [`to read ${listedNames(fsRead)}`] : []),
		...(fsWrite.length > 0 ? [`to write ${listedNames(fsWrite)}`] : []),
		...(network ? ["the network"] : []),
	];
	return words.join("; ") || "nothing";
}

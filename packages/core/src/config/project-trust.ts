import { statSync } from "node:fs";
import { absolutePath } from "../paths/expand-path.js";
import { openToOthers } from "../paths/open-to-others.js";
import { realPath } from "../paths/real-path.js";
import { isAtOrBelow } from "../paths/segments.js";
import type { WrittenSetting } from "./config-origin.js";
import { readTrustEntry } from "./trust-record.js";

/** Where the user says which projects they trust. */
export interface ProjectTrust {
	/** The setting `trusted_projects`, of the user's files and variables. */
	readonly setting: WrittenSetting | undefined;
	/** The directory of the record that `robot-lab trust` keeps. Absent where nothing of the home directory is read. */
	readonly record?: string;
	readonly home?: string;
}

/** Whether the user trusts a project. A project that they named and that does not count has a refusal, a clause and what to do. */
export type ProjectVerdict =
	/** The directory itself, all links resolved. */
	| { readonly isTrusted: true; readonly project: string }
	| { readonly isTrusted: false; readonly project?: never; readonly refusal?: string };

/**
 * The one answer to whether what a directory says counts as the user's own word: its configuration file, and where its skills are.
 *
 * It is about the directory itself, by its real path: what is cloned into a trusted one is not trusted with it. Where others may put a
 * directory of their own in its place nobody can be trusted by a path: neither by the one that is asked about nor by the one that the setting has.
 */
export function judgeProject(directory: string, { setting, record, home }: ProjectTrust): ProjectVerdict {
	const place = refusalOfPlace(directory, home);
	const project = realOrNothing(directory, home);
	if (project === undefined) return UNTRUSTED;
	const refusals: string[] = [];
	for (const path of (setting?.value ?? []) as readonly string[]) {
		// Who may turn it elsewhere is asked before where it leads: else it could be turned in between.
		const refusal = place ?? refusalOfPlace(path, home);
		if (realOrNothing(path, home) !== project) continue;
		if (refusal === undefined) return { isTrusted: true, project };
		refusals.push(refusal);
	}
	const entry = record === undefined ? undefined : readTrustEntry(record, project);
	if (entry !== undefined) {
		const refusal = entry.flaw ?? place ?? refusalOfRecord(project, record, home);
		if (refusal === undefined) return { isTrusted: true, project };
		refusals.push(refusal);
	}
	const [refusal] = refusals;
	return refusal === undefined ? UNTRUSTED : { isTrusted: false, refusal };
}

/** Why a directory, as it is named, can be trusted by nobody. */
export function refusalOfPlace(directory: string, home: string | undefined): string | undefined {
	try {
		const path = absolutePath(directory, home === undefined ? {} : { home });
		const refusal = openToOthers(path);
		if (refusal !== undefined) return refusal;
		const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
		return isDirectory ? undefined : `${JSON.stringify(path)} is no directory. Name the directory of the project`;
	} catch (error) {
		return `nobody can tell what ${JSON.stringify(directory)} is (${(error as NodeJS.ErrnoException).code ?? String(error)}). Name the directory of the project`;
	}
}

/** Why the record says nothing of a project: what lies in the project could trust others in the user's name, or other users could. */
export function refusalOfRecord(project: string, record: string | undefined, home: string | undefined): string | undefined {
	const place = record === undefined ? undefined : realOrNothing(record, home);
	if (record !== undefined && place !== undefined && !isAtOrBelow(place, project)) return openToOthers(record);
	return `the record of trusted projects, ${JSON.stringify(place ?? record)}, lies in ${JSON.stringify(project)} itself. Name a directory below it`;
}

const UNTRUSTED: ProjectVerdict = { isTrusted: false };

export function realOrNothing(path: string, home: string | undefined): string | undefined {
	try {
		return realPath(path, home === undefined ? {} : { home });
	} catch {
		return undefined;
	}
}

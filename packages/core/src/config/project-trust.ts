import { statSync } from "node:fs";
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
 * directory of their own in its place nobody can be trusted by a path.
 */
export function judgeProject(directory: string, { setting, record, home }: ProjectTrust): ProjectVerdict {
	const project = realOrNothing(directory, home);
	if (project === undefined) return UNTRUSTED;
	const isNamed = ((setting?.value ?? []) as readonly string[]).some((path) => realOrNothing(path, home) === project);
	const entry = isNamed || record === undefined ? undefined : readTrustEntry(record, project);
	if (entry?.flaw !== undefined) return { isTrusted: false, refusal: entry.flaw };
	if (!isNamed && entry === undefined) return UNTRUSTED;
	const refusal = refusalOfPlace(project) ?? (isNamed ? undefined : refusalOfRecord(project, record, home));
	return refusal === undefined ? { isTrusted: true, project } : { isTrusted: false, refusal };
}

/** Why a directory, by its real path, can be trusted by nobody. */
export function refusalOfPlace(project: string): string | undefined {
	try {
		const isDirectory = statSync(project, { throwIfNoEntry: false })?.isDirectory() === true;
		return isDirectory ? openToOthers(project, project) : `${JSON.stringify(project)} is no directory. Name the directory of the project`;
	} catch (error) {
		return `nobody can tell who may write on the way to ${JSON.stringify(project)} (${(error as NodeJS.ErrnoException).code ?? String(error)}). Check the permissions there`;
	}
}

/** Why the record says nothing of a project: what lies in the project could trust others in the user's name. */
export function refusalOfRecord(project: string, record: string | undefined, home: string | undefined): string | undefined {
	const place = record === undefined ? undefined : realOrNothing(record, home);
	if (place !== undefined && !isAtOrBelow(place, project)) return undefined;
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

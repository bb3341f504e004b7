import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Capabilities } from "../capability/capabilities.js";
import { physicalPath } from "../capability/grant-path.js";
import { openToOthers } from "../paths/open-to-others.js";
import { isAtOrBelow } from "../paths/segments.js";
import type { Bundle } from "./read-bundle.js";

/** Where a bundle really lies whose claim to be core counts, or why it does not count, as a clause and what to do. */
export type TrustVerdict =
	| { readonly skillMdPath: string; readonly directory: string; readonly refusal?: never }
	| { readonly refusal: string };

/**
 * Whether a bundle may claim `trust: core`: its directory and its SKILL.md, all links resolved, lie at or below a directory of the host's
 * list, and not every user may write on the way there, nor to anything in `scripts/`, nor on the way to where links in it lead. What a
 * group may write counts as the owner's: on many systems every user has a group of its own, and files are made for it. Looks at the file
 * system.
 */
export function judgeTrust(skillMdPath: string, trusted: readonly string[]): TrustVerdict {
	const directory = physicalPath(dirname(skillMdPath));
	if (directory.reason !== undefined) return { refusal: unusable(dirname(skillMdPath), directory.reason) };
	const file = physicalPath(join(directory.real, basename(skillMdPath)));
	if (file.reason !== undefined) return { refusal: unusable(skillMdPath, file.reason) };
	const roots = trusted.map((path) => physicalPath(path)).flatMap((verdict) => (verdict.reason === undefined ? [verdict.real] : []));
	for (const path of [directory.real, file.real]) {
		const root = roots.find((candidate) => isAtOrBelow(path, candidate));
		if (root === undefined) return { refusal: notBelow(path, trusted) };
		const refusal = openToOthers(path, root) ?? (path === directory.real ? refusalOfScripts(join(path, "scripts"), root) : undefined);
		if (refusal !== undefined) return { refusal };
	}
	return { skillMdPath: file.real, directory: directory.real };
}

/** Why what is run may be somebody else's, though the SKILL.md is not: `path` or something in it. Into links to directories it does not look. */
function refusalOfScripts(path: string, root: string): string | undefined {
	try {
		const place = physicalPath(path);
		if (place.reason !== undefined) return unusable(path, place.reason);
		const refusal = openToOthers(place.real, root);
		if (refusal !== undefined || statSync(place.real, { throwIfNoEntry: false })?.isDirectory() !== true) return refusal;
		return refusalOfContents(place.real, root);
	} catch (error) {
		return unusable(path, `nobody can tell who may write in it (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
	}
}

function refusalOfContents(directory: string, root: string): string | undefined {
	for (const entry of readdirSync(directory, { withFileTypes: true })) {
		const path = join(directory, entry.name);
		const place = physicalPath(path);
		if (place.reason !== undefined) return unusable(path, place.reason);
		const refusal = openToOthers(place.real, root) ?? (entry.isDirectory() ? refusalOfContents(path, root) : undefined);
		if (refusal !== undefined) return refusal;
	}
	return undefined;
}

const unusable = (path: string, reason: string): string =>
	`${JSON.stringify(path)} cannot be trusted, because ${reason}. Rename or move it`;

function notBelow(path: string, trusted: readonly string[]): string {
	const list = trusted.length === 0 ? "is empty" : `has ${trusted.map((each) => JSON.stringify(each)).join(", ")}`;
	return `${JSON.stringify(path)} is not below a directory of sandbox.trustCore, which ${list}. Add the real directory there if you have audited the bundle`;
}

/** The same bundle, external, and a diagnostic that says so. */
export function withoutTrust(bundle: Bundle, refusal: string): Bundle {
	const { skillMdPath, frontMatter, fields } = bundle;
	const message = `trust: core does not count here, and the skill is external: ${refusal}, or take the line out of the SKILL.md.`;
	return {
		...bundle,
		fields: {
			...fields,
			capabilities: Capabilities.fromFrontMatter({ ...frontMatter, trust: "external" }),
			diagnostics: [...fields.diagnostics, Object.freeze({ severity: "warning", code: "trust_not_granted", message, path: skillMdPath })],
		},
	};
}

import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { Capabilities } from "../capability/capabilities.js";
import { physicalPath } from "../capability/grant-path.js";
import { contentsOpenToOthers, openToOthers } from "../paths/open-to-others.js";
import { isAtOrBelow } from "../paths/segments.js";
import type { Bundle } from "./read-bundle.js";

/** Where a bundle really lies whose claim to be core counts, or why it does not count, as a clause and what to do. */
export type TrustVerdict =
	| { readonly skillMdPath: string; readonly directory: string; readonly refusal?: never }
	| { readonly refusal: string };

/**
 * Whether a bundle may claim `trust: core`: its directory and its SKILL.md, all links resolved, lie at or below a directory of the host's
 * list, and nobody but this user and root may change what the way there leads to, as the host wrote it and as links lead, nor anything in the
 * bundle. Looks at the file system.
 */
export function judgeTrust(skillMdPath: string, trusted: readonly string[]): TrustVerdict {
	const directory = physicalPath(dirname(skillMdPath));
	if (directory.reason !== undefined) return { refusal: unusable(dirname(skillMdPath), directory.reason) };
	const named = join(directory.real, basename(skillMdPath));
	const file = physicalPath(named);
	if (file.reason !== undefined) return { refusal: unusable(skillMdPath, file.reason) };
	const roots = trusted.flatMap(rootOf);
	for (const path of [directory.real, file.real]) {
		const holding = roots.filter(({ real }) => isAtOrBelow(path, real));
		const root = holding.find(({ refusal }) => refusal === undefined) ?? holding[0];
		if (root === undefined) return { refusal: notBelow(path, trusted) };
		const refusal =
			root.refusal ?? openToOthers(path, root.real) ?? (path === directory.real ? refusalOfBundle(path, root.real) : undefined);
		if (refusal !== undefined) return { refusal };
	}
	return { skillMdPath: file.real, directory: directory.real };
}

interface Root {
	readonly real: string;
	/** Why others may have it lead elsewhere. */
	readonly refusal?: string;
}

/** Where an entry of the host's list leads. Who may turn it elsewhere is asked first: else it could be turned in between. */
function rootOf(path: string): readonly Root[] {
	// The configuration makes them so, except for what is in nobody's home directory.
	if (!isAbsolute(path)) return [];
	const refusal = openToOthers(path);
	const place = physicalPath(path);
	return place.reason !== undefined ? [] : [{ real: place.real, ...(refusal !== undefined && { refusal }) }];
}

/** Why what is run may be somebody else's, though the way to the bundle is not: something in it. Where `scripts/` is a link, what lies there, too. */
function refusalOfBundle(directory: string, root: string): string | undefined {
	const scripts = physicalPath(join(directory, "scripts"));
	if (scripts.reason !== undefined) return unusable(join(directory, "scripts"), scripts.reason);
	const isElsewhere = !isAtOrBelow(scripts.real, directory) && statSync(scripts.real, { throwIfNoEntry: false })?.isDirectory() === true;
	return contentsOpenToOthers(directory, root) ?? (isElsewhere ? contentsOpenToOthers(scripts.real, root) : undefined);
}

const unusable = (path: string, reason: string): string =>
	`${JSON.stringify(path)} cannot be trusted, because ${reason}. Rename or move it`;

function notBelow(path: string, trusted: readonly string[]): string {
	const list = trusted.length === 0 ? "is empty" : `has ${trusted.map((each) => JSON.stringify(each)).join(", ")}`;
	return `${JSON.stringify(path)} is not below a directory of sandbox.trust_core, which ${list}. Add the real directory there if you have audited the bundle`;
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

import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Capabilities } from "../capability/capabilities.js";
import { deriveNames } from "../script/derive-name.js";
import { inspectScript, type ScriptInspection } from "../script/inspect-script.js";
import { scriptTool } from "../script/script-to-tool.js";
import type { Tool } from "../tool/tool.js";
import { withMetadataParameters } from "./metadata-parameters.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

/** The files of a bundle's `scripts/`. */
export interface ScriptListing {
	/** Absolute, sorted. */
	readonly paths: readonly string[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

/** What a bundle's scripts became. */
export interface SkillScripts {
	readonly tools: readonly Tool[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

type RunnableScript = ScriptInspection & { readonly kind: "script" };

/** Lists the files directly in `scripts/`, links to files included. Never rejects. */
export async function listScripts(skillDir: string): Promise<ScriptListing> {
	const directory = join(skillDir, "scripts");
	try {
		const entries = await readdir(directory, { withFileTypes: true });
		const found = await Promise.all(entries.map((entry) => fileAt(directory, entry)));
		return { paths: Object.freeze(found.filter((path) => path !== undefined).sort()), diagnostics: [] };
	} catch (error) {
		return { paths: Object.freeze([]), diagnostics: listingFailure(directory, error as NodeJS.ErrnoException) };
	}
}

async function fileAt(directory: string, entry: Dirent): Promise<string | undefined> {
	const path = join(directory, entry.name);
	if (entry.isFile()) return path;
	if (entry.isDirectory()) return undefined;
	try {
		return (await stat(path)).isFile() ? path : undefined;
	} catch {
		return undefined;
	}
}

function listingFailure(path: string, { code, message }: NodeJS.ErrnoException): readonly SkillDiagnostic[] {
	if (code === "ENOENT" || code === "ENOTDIR") return [];
	return [
		Object.freeze({
			severity: "error",
			code: "scripts_unreadable",
			message: `The scripts cannot be listed (${message}) and are no tools.`,
			path,
		}),
	];
}

/** Makes a tool of every runnable script. Never rejects. */
export async function readScripts(
	listing: ScriptListing,
	skill: { readonly path: string; readonly capabilities: Capabilities; readonly metadata: Readonly<Record<string, unknown>> },
): Promise<SkillScripts> {
	const inspected = await Promise.all(listing.paths.map((path) => inspectScript(path)));
	const { inspections, diagnostics } = withMetadataParameters(inspected, skill);
	const scripts = inspections.filter((inspection): inspection is RunnableScript => inspection.kind === "script");
	const names = deriveNames(scripts.map(({ path }) => path));
	const options = { capabilities: skill.capabilities, skillDir: skill.path };
	return {
		tools: Object.freeze(scripts.map((script, index) => scriptTool(script, { ...options, name: names[index] as string }))),
		diagnostics: [...listing.diagnostics, ...inspections.flatMap(diagnose), ...diagnostics],
	};
}

function diagnose(inspection: ScriptInspection): readonly SkillDiagnostic[] {
	if (inspection.kind !== "unusable") return [];
	const { code, message, path } = inspection;
	return [Object.freeze({ severity: "warning", code, message, path })];
}

import { type Dirent, statSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Capabilities } from "../capability/capabilities.js";
import { config } from "../config/configure.js";
import { isAtOrBelow } from "../paths/segments.js";
import { deriveNames } from "../script/derive-name.js";
import { type InspectOptions, inspectScript, type ScriptInspection } from "../script/inspect-script.js";
import { type RunnableScript, unmetNeeds } from "../script/script-needs.js";
import { scriptTool } from "../script/script-to-tool.js";
import { shorten } from "../text/shorten.js";
import type { Tool } from "../tool/tool.js";
import { mapConcurrently } from "./map-concurrently.js";
import { withMetadataParameters } from "./metadata-parameters.js";
import { listNested, type NestedFiles } from "./nested-scripts.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

/** The files of a bundle's `scripts/`. */
export interface ScriptListing {
	/** Absolute, sorted. */
	readonly paths: readonly string[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

/** What a bundle's scripts became. */
export interface SkillScripts {
	/** Every file that was looked at, those directly in `scripts/` first. */
	readonly inspections: readonly ScriptInspection[];
	/** One per inspection of a script, in their order. */
	readonly tools: readonly Tool[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

const NO_SCRIPTS: ScriptListing = Object.freeze({ paths: Object.freeze([]), diagnostics: Object.freeze([]) });
const NONE_NESTED: NestedFiles = { files: [], isCut: false };
const CUT =
	"There are files in scripts/ that were not looked at, four directories deep or behind 2,000 others; they are no tools. Lay them flatter.";
const MAX_CONCURRENT_FILES = 16;
const MAX_NAME = 100;

/** Lists the files directly in `scripts/`, links to files included. Never rejects. */
export async function listScripts(skillDir: string): Promise<ScriptListing> {
	const directory = join(skillDir, "scripts");
	if (isMissing(directory)) return NO_SCRIPTS;
	try {
		const entries = await readdir(directory, { withFileTypes: true });
		const found = await Promise.all(entries.map((entry) => fileAt(directory, entry)));
		return { paths: Object.freeze(found.filter((path) => path !== undefined).sort()), diagnostics: [] };
	} catch (error) {
		return { paths: Object.freeze([]), diagnostics: listingFailure(directory, error as NodeJS.ErrnoException) };
	}
}

/** Most bundles have none, and of an error that says so nobody wants the stack. Anything else that is wrong is for whoever lists it. */
function isMissing(directory: string): boolean {
	try {
		return statSync(directory, { throwIfNoEntry: false }) === undefined;
	} catch {
		return false;
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

/** Makes a tool of every runnable script; of those deeper in `scripts/` where `scripts.nested` says so. Never rejects. */
export async function readScripts(
	listing: ScriptListing,
	skill: { readonly path: string; readonly capabilities: Capabilities; readonly metadata: Readonly<Record<string, unknown>> },
): Promise<SkillScripts> {
	const { path: skillDir, capabilities } = skill;
	const directory = join(skillDir, "scripts");
	const nested = config().scripts.nested ? await listNested(directory) : NONE_NESTED;
	const files = [
		...listing.paths.map((path) => ({ path, options: {} })),
		...nested.files.map((file) => ({ path: join(directory, file), options: { nested: true } })),
	];
	const bundle = files.length === 0 ? undefined : await realOf(skillDir);
	const inspected = await mapConcurrently(files, MAX_CONCURRENT_FILES, ({ path, options }) => inspectWithin(bundle, path, options));
	const { inspections, diagnostics } = withMetadataParameters(inspected, skill);
	const scripts = inspections.filter((inspection): inspection is RunnableScript => inspection.kind === "script");
	const names = namesOf(scripts, directory);
	return {
		inspections,
		tools: Object.freeze(scripts.map((script, index) => scriptTool(script, { capabilities, skillDir, name: names[index] as string }))),
		diagnostics: [
			...listing.diagnostics,
			...(nested.isCut ? [warning("scripts_not_all", CUT, directory)] : []),
			...inspections.flatMap((inspection) =>
				inspection.kind === "unusable" ? [warning(inspection.code, inspection.message, inspection.path)] : [],
			),
			...diagnostics,
		],
	};
}

/** What scripts need that is not here. Looks around on this computer, so it is asked for only where somebody wants to know. */
export async function diagnoseNeeds({ inspections }: SkillScripts, capabilities: Capabilities): Promise<readonly SkillDiagnostic[]> {
	const scripts = inspections.filter((inspection): inspection is RunnableScript => inspection.kind === "script");
	return (await unmetNeeds(scripts, capabilities)).map(({ code, message, path }) => warning(code, message, path));
}

/** A link may lead anywhere, and what lies outside of a bundle is not what somebody looked at, pinned or trusted with it. */
async function inspectWithin(bundle: string | undefined, path: string, options: InspectOptions): Promise<ScriptInspection> {
	const inspection = await inspectScript(path, options);
	const real = inspection.kind === "script" ? await realOf(path) : undefined;
	if (real === undefined || bundle === undefined || isAtOrBelow(real, bundle)) return inspection;
	const message = `${shorten(basename(path), MAX_NAME)} is a link that leads out of the bundle and is no tool. Put the file itself into scripts/.`;
	return { kind: "unusable", path, code: "script_outside_bundle", message };
}

function namesOf(scripts: readonly RunnableScript[], directory: string): readonly string[] {
	const [direct, nested] = [true, false].map((wanted) => scripts.filter(({ path }) => (dirname(path) === directory) === wanted));
	const below = (nested ?? []).map(({ path }) => relative(directory, path).replaceAll(sep, "/"));
	return deriveNames(
		(direct ?? []).map(({ path }) => path),
		below,
	);
}

async function realOf(path: string): Promise<string | undefined> {
	try {
		return await realpath(path);
	} catch {
		return undefined;
	}
}

const warning = (code: string, message: string, path: string): SkillDiagnostic =>
	Object.freeze({ severity: "warning", code, message, path });

import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Capabilities } from "../capability/capabilities.js";
import { config } from "../config/configure.js";
import { isAtOrBelow } from "../paths/segments.js";
import { mapConcurrently } from "../process/map-concurrently.js";
import { deriveNames } from "../script/derive-name.js";
import { type InspectOptions, inspectScript, outsideBundle, type ScriptInspection } from "../script/inspect-script.js";
import { type RunnableScript, unmetNeeds } from "../script/script-needs.js";
import { scriptTool } from "../script/script-to-tool.js";
import type { Tool } from "../tool/tool.js";
import { realOrNothing } from "./look-into.js";
import { withMetadataParameters } from "./metadata-parameters.js";
import { listNested, type NestedFiles } from "./nested-scripts.js";
import { type SkillDiagnostic, warning } from "./skill-diagnostic.js";
import { unusableScripts } from "./unusable-scripts.js";

/** The files of a bundle's `scripts/`. */
export interface ScriptListing {
	/** Absolute, sorted. */
	readonly paths: readonly string[];
	/** Those of them that are links. */
	readonly links: ReadonlySet<string>;
	/** The real paths of the bundle and of its `scripts/`, which lies in it. Absent where there is none that may be looked into. */
	readonly place?: { readonly bundle: string; readonly scripts: string };
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

export const NO_SCRIPTS: ScriptListing = Object.freeze({
	paths: Object.freeze([]),
	links: new Set<string>(),
	diagnostics: Object.freeze([]),
});
const NONE: readonly never[] = Object.freeze([]);
const NONE_NESTED: NestedFiles = { files: [], isCut: false };
const CUT =
	"There are files in scripts/ that were not looked at, four directories deep or behind 2,000 others; they are no tools. Lay them flatter.";
const OUTSIDE =
	"scripts/ is a link that leads out of the bundle; it is not looked into, and nothing in it is a tool. Put the directory itself there.";
const MAX_CONCURRENT_FILES = 16;

/**
 * Lists the files directly in `scripts/`, links to files included; of one that is a link out of the bundle nothing is listed. Never throws.
 *
 * @param place Where the bundle was when it was read. Default: where it is.
 */
export function listScripts(path: string, place?: string): ScriptListing {
	const directory = join(path, "scripts");
	if (isMissing(directory)) return NO_SCRIPTS;
	try {
		const bundle = place ?? realpathSync.native(path);
		const scripts = realpathSync.native(directory);
		if (!isAtOrBelow(scripts, bundle))
			return { ...NO_SCRIPTS, diagnostics: [warning({ code: "script_outside_bundle", message: OUTSIDE, path: directory })] };
		const entries = readdirSync(scripts, { withFileTypes: true });
		const found = entries.map((entry) => fileAt(directory, entry)).filter((file) => file !== undefined);
		return {
			paths: Object.freeze(found.map(({ path }) => path).sort()),
			links: new Set(found.filter(({ isLink }) => isLink).map(({ path }) => path)),
			place: { bundle, scripts },
			diagnostics: [],
		};
	} catch (error) {
		return { ...NO_SCRIPTS, diagnostics: listingFailure(directory, error as NodeJS.ErrnoException) };
	}
}

/** Most bundles have none, and of an error that says so nobody wants the stack. Anything else that is wrong is for whoever lists it. */
function isMissing(directory: string): boolean {
	try {
		return lstatSync(directory, { throwIfNoEntry: false }) === undefined;
	} catch {
		return false;
	}
}

function fileAt(directory: string, entry: Dirent): { readonly path: string; readonly isLink: boolean } | undefined {
	const path = join(directory, entry.name);
	if (entry.isFile()) return { path, isLink: false };
	if (entry.isDirectory()) return undefined;
	try {
		return statSync(path).isFile() ? { path, isLink: true } : undefined;
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
			message: `The scripts cannot be listed (${message}) and are no tools. Change the permissions of that directory.`,
			path,
		}),
	];
}

/** What comes of a bundle that has no `scripts/`, as most have not. */
export const withoutScripts = (skill: Parameters<typeof withMetadataParameters>[1]): SkillScripts => ({
	inspections: NONE,
	tools: NONE,
	diagnostics: withMetadataParameters(NONE, skill).diagnostics,
});

/** Makes a tool of every runnable script; of those deeper in `scripts/` where `scripts.nested` says so. Never rejects. */
export async function readScripts(
	listing: ScriptListing,
	skill: { readonly path: string; readonly capabilities: Capabilities; readonly metadata: Readonly<Record<string, unknown>> },
): Promise<SkillScripts> {
	const { path: skillDir, capabilities } = skill;
	const directory = join(skillDir, "scripts");
	const { place } = listing;
	const nested = config().scripts.nested && place !== undefined ? await listNested(place.scripts) : NONE_NESTED;
	const files = [
		...listing.paths.map((path) => ({ path, isLink: listing.links.has(path), nested: false })),
		...nested.files.map(({ name, isLink }) => ({ path: join(directory, name), isLink, nested: true })),
	];
	const inspected = await mapConcurrently(files, MAX_CONCURRENT_FILES, (file) => inspectWithin(place?.bundle, file));
	const { inspections, diagnostics } = withMetadataParameters(inspected, skill);
	const scripts = inspections.filter(isScript);
	const names = namesOf(scripts, directory);
	return {
		inspections,
		tools: Object.freeze(
			scripts.map((script, index) => scriptTool(script, { capabilities, skillDir, name: names[index] as string, within: place?.bundle })),
		),
		diagnostics: [
			...listing.diagnostics,
			...(nested.isCut ? [warning({ code: "scripts_not_all", message: CUT, path: directory })] : []),
			...unusableScripts(inspections, directory),
			...diagnostics,
		],
	};
}

/** The scripts of a bundle, and what they get. */
export interface InspectedBundle {
	readonly inspections: readonly ScriptInspection[];
	readonly capabilities: Capabilities;
}

/** What the scripts of bundles need that is not here. Looks around on this computer, so it is asked for only where somebody wants to know. */
export async function diagnoseNeeds(bundles: readonly InspectedBundle[]): Promise<readonly SkillDiagnostic[]> {
	const needy = bundles.map(({ inspections, capabilities }) => ({ scripts: inspections.filter(isScript), capabilities }));
	return (await unmetNeeds(needy)).map(warning);
}

const isScript = (inspection: ScriptInspection): inspection is RunnableScript => inspection.kind === "script";

interface ListedFile {
	readonly path: string;
	readonly isLink: boolean;
	readonly nested: boolean;
}

/** A link may lead anywhere: it is not opened before it is known where. What was none when it was listed is looked at again once it is open. */
async function inspectWithin(bundle: string | undefined, { path, isLink, nested }: ListedFile): Promise<ScriptInspection> {
	const real = isLink && bundle !== undefined ? realOrNothing(path) : undefined;
	if (real !== undefined && bundle !== undefined && !isAtOrBelow(real, bundle)) return outsideBundle(path);
	return inspectScript(path, { nested, within: bundle } satisfies InspectOptions);
}

function namesOf(scripts: readonly RunnableScript[], directory: string): readonly string[] {
	const [direct, nested] = [true, false].map((wanted) => scripts.filter(({ path }) => (dirname(path) === directory) === wanted));
	const below = (nested ?? []).map(({ path }) => relative(directory, path).replaceAll(sep, "/"));
	return deriveNames(
		(direct ?? []).map(({ path }) => path),
		below,
	);
}

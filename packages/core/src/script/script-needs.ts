import { basename } from "node:path";
import type { Capabilities } from "../capability/capabilities.js";
import { findProgram } from "../process/find-program.js";
import { hostDirectory } from "../process/host-directory.js";
import { shorten } from "../text/shorten.js";
import type { InlineMetadata } from "./inline-metadata.js";
import type { ScriptInspection } from "./inspect-script.js";
import { interpreterOf } from "./interpreter.js";
import { refusalOfNode } from "./node-types.js";
import { howToGet } from "./preflight.js";
import { refusalOfUv, runsThroughUv } from "./through-uv.js";

export type RunnableScript = ScriptInspection & { readonly kind: "script" };

/** Something that scripts need and that is not here, so that running them would fail. */
export interface UnmetNeed {
	readonly code:
		| "interpreter_missing"
		| "interpreter_too_old"
		| "network_not_granted"
		| "script_dependencies"
		| "script_misnamed"
		| "script_metadata_malformed";
	/** What is missing and what to do, in one line. */
	readonly message: string;
	/** The script, or the first of several that need the same. */
	readonly path: string;
}

const MAX_NAME = 100;
const MAX_DEPENDENCIES = 400;

/** The scripts of a bundle, and what they get. */
export interface NeedyScripts {
	readonly scripts: readonly RunnableScript[];
	readonly capabilities: Capabilities;
}

/**
 * What of the needs of scripts is not met on this computer, under the present configuration. Each interpreter is looked up once however many
 * scripts of however many bundles need it; no script is run, and nothing is installed.
 */
export async function unmetNeeds(bundles: readonly NeedyScripts[]): Promise<readonly UnmetNeed[]> {
	const each = await Promise.all(bundles.flatMap(({ scripts, capabilities }) => scripts.map((script) => needsOf(script, capabilities))));
	return [...missingInterpreters(bundles.flatMap(({ scripts }) => scripts)), ...each.flat()];
}

function missingInterpreters(scripts: readonly RunnableScript[]): readonly UnmetNeed[] {
	const byProgram = new Map<string, RunnableScript[]>();
	for (const script of scripts) {
		const program = interpreterOf(script.command);
		const others = byProgram.get(program);
		if (others === undefined) byProgram.set(program, [script]);
		else others.push(script);
	}
	return [...byProgram].flatMap(([program, [first, ...more]]): readonly UnmetNeed[] => {
		if (first === undefined || "path" in findProgram(program, hostDirectory() ?? "/", process.env.PATH ?? "")) return [];
		const others = more.length === 0 ? " needs" : ` and ${more.length} more need`;
		const where = program.includes("/") ? "where there is none" : "which is not on PATH";
		const message = `${nameOf(first)}${others} ${JSON.stringify(shorten(program, MAX_NAME))}, ${where}. ${howToGet(program)}`;
		return [{ code: "interpreter_missing", message, path: first.path }];
	});
}

async function needsOf(script: RunnableScript, capabilities: Capabilities): Promise<readonly UnmetNeed[]> {
	const { path, command, inlineMetadata } = script;
	const need = (code: UnmetNeed["code"], text: string): readonly UnmetNeed[] => [{ code, message: `${nameOf(script)}: ${text}`, path }];
	const types = await refusalOfNode(command);
	if (types !== undefined) return need(types.code, types.message);
	const network = refusalOfUv(command, capabilities);
	if (network !== undefined) return need("network_not_granted", network);
	if (inlineMetadata === undefined) return [];
	if (!inlineMetadata.ok)
		return need("script_metadata_malformed", `Its inline metadata does not count: ${inlineMetadata.reason}. Mend it.`);
	const wanted = wantedBy(inlineMetadata.value);
	if (runsThroughUv(command) || wanted === undefined) return [];
	return need("script_dependencies", `It needs ${wanted}, which nobody installs for it. Install it, or set scripts.pep723 to "uv".`);
}

/** As quoted texts: they are a stranger's. */
function wantedBy({ dependencies, requiresPython }: InlineMetadata): string | undefined {
	const wanted = [...(requiresPython === undefined ? [] : [`Python ${requiresPython}`]), ...dependencies];
	return wanted.length === 0 ? undefined : shorten(wanted.map((text) => JSON.stringify(text)).join(", "), MAX_DEPENDENCIES);
}

const nameOf = ({ path }: RunnableScript): string => shorten(basename(path), MAX_NAME);

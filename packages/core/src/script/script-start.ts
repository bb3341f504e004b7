import { stat } from "node:fs/promises";
import type { Capabilities } from "../capability/capabilities.js";
import type { ScriptRefusal } from "../stream/script-outcome.js";
import { makeExecutable } from "./executable-bit.js";
import { inspectScript } from "./inspect-script.js";
import { refusalOfNode } from "./node-types.js";
import { refusalOfUv } from "./through-uv.js";

/** How a script is started now, or why it can no longer be run. */
export type ScriptStart =
	| { readonly command: readonly string[]; readonly refusal?: never }
	| { readonly refusal: ScriptRefusal; readonly command?: never };

/**
 * Looks at a script again, right before it runs: since it became a tool it may have been rewritten in another language, removed, or replaced by a link.
 *
 * @param within The real path of the bundle that it has to lie in. `undefined`: it may lie anywhere.
 */
export async function startOf(scriptPath: string, capabilities: Capabilities, within: string | undefined): Promise<ScriptStart> {
	const inspection = await inspectScript(scriptPath, { within });
	if (inspection.kind === "script") return startOfScript(inspection.command, capabilities);
	const name = JSON.stringify(scriptPath);
	if (inspection.kind === "unusable" && inspection.code === "script_not_executable") {
		return refused("script_not_executable", `${name} is no longer executable. ${makeExecutable(scriptPath)}`);
	}
	if (inspection.kind === "unusable" && inspection.code === "script_outside_bundle") {
		return refused("script_outside_bundle", `${name} is a link that leads out of the bundle by now. Put the file itself there.`);
	}
	const why = await missing(scriptPath);
	if (why !== undefined) return refused("script_missing", `${name} ${why}. Put the script back.`);
	const reason = inspection.kind === "other" ? inspection.reason : inspection.message;
	return refused("script_unusable", `${name} is no script any more: ${reason}. Put the script back.`);
}

async function startOfScript(command: readonly string[], capabilities: Capabilities): Promise<ScriptStart> {
	const network = refusalOfUv(command, capabilities);
	if (network !== undefined) return refused("network_not_granted", network);
	const types = await refusalOfNode(command);
	return types === undefined ? { command } : refused(types.code, types.message);
}

async function missing(path: string): Promise<string | undefined> {
	try {
		return (await stat(path)).isFile() ? undefined : "is no longer a file";
	} catch (error) {
		return `can no longer be reached (${(error as NodeJS.ErrnoException).code})`;
	}
}

const refused = (code: string, message: string): ScriptStart => ({ refusal: { code, message } });

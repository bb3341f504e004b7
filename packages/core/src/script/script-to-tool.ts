import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Capabilities } from "../capability/capabilities.js";
import { config } from "../config/configure.js";
import { warnOnce } from "../errors/warn-once.js";
import { isAtOrBelow } from "../paths/segments.js";
import { describeValue } from "../text/describe-value.js";
import type { Tool, ToolContext } from "../tool/tool.js";
import type { ToolOutcome } from "../tool/tool-outcome.js";
import { deriveName } from "./derive-name.js";
import { fitText } from "./fit-text.js";
import { formatResult } from "./format-result.js";
import { HELP_REQUEST } from "./help-request.js";
import { inspectScript, type ScriptInspection } from "./inspect-script.js";
import { movedPath } from "./moved-bundle.js";
import { parametersSchema } from "./parameters-schema.js";
import { readParameters } from "./read-parameters.js";
import { runScript } from "./run-script.js";
import type { ScriptResult } from "./script-executor.js";
import { readScriptInput } from "./script-input.js";
import type { ParameterFlaw } from "./script-parameters.js";
import { hasSucceeded, outcomeOf, refusedResult, tellEnding } from "./script-result.js";
import { withSource } from "./script-source.js";
import { startOf } from "./script-start.js";
import { readScriptArguments, SCRIPT_PARAMETERS } from "./tool-arguments.js";

/** What a script's tool is given besides the script. */
export interface ScriptToolOptions {
	/** What the bundle declared. Default: nothing. */
	readonly capabilities?: Capabilities | undefined;
	/** The bundle's directory. Default: the script's own. */
	readonly skillDir?: string | undefined;
}

const SKIPPED = "ROBOT_LAB_SCRIPT_SKIPPED";

/**
 * A script as a tool, `undefined` for a file that is none; {@link inspectScript} says why. A file that looks like a script and cannot
 * be one as it is gets a process warning, once. Never throws.
 */
export async function toolFromPath(scriptPath: string, options: ScriptToolOptions = {}): Promise<Tool | undefined> {
	if (typeof scriptPath !== "string") return undefined;
	const { capabilities, skillDir } = options ?? {};
	if (skillDir !== undefined && typeof skillDir !== "string") {
		warnOnce(scriptPath, `ScriptTool.fromPath: skillDir must be a path, not ${describeValue(skillDir)}; no tool was made.`, SKIPPED);
		return undefined;
	}
	const inspection = await inspectScript(scriptPath);
	if (inspection.kind === "unusable") warnOnce(inspection.path, inspection.message, SKIPPED);
	if (inspection.kind !== "script") return undefined;
	const { path, declaration } = inspection;
	if (declaration?.ok === false) warnOnce(`parameters of ${path}`, flawOf(path, declaration.flaws[0]), "ROBOT_LAB_SCRIPT_PARAMETERS");
	return scriptTool(inspection, { capabilities, skillDir, name: deriveName(scriptPath), within: await bundleOf(path, skillDir) });
}

/** The real path of a bundle that was named and that the script lies in. */
async function bundleOf(path: string, skillDir: string | undefined): Promise<string | undefined> {
	if (skillDir === undefined) return undefined;
	const [script, bundle] = await Promise.all([path, skillDir].map((each) => realpath(each).catch(() => undefined)));
	return script !== undefined && bundle !== undefined && isAtOrBelow(script, bundle) ? bundle : undefined;
}

const flawOf = (path: string, flaw: ParameterFlaw | undefined): string =>
	`${path}${flaw === undefined ? "" : `:${flaw.line}: ${flaw.message}`} ${PLAIN_ARGUMENTS}`;

/** What becomes of a script whose declaration does not count. */
export const PLAIN_ARGUMENTS = "The script's parameters cannot be read, and it takes plain args.";

/** The tool of a script that was looked at. Its answer is the script's output, at most `scripts.maxModelBytes` of it. */
export function scriptTool(
	script: ScriptInspection & { readonly kind: "script" },
	options: ScriptToolOptions & {
		readonly name: string;
		/** The bundle's real path, which the script has to lie in whenever it runs. Absent where it may lie anywhere. */
		readonly within?: string | undefined;
	},
): Tool {
	const { capabilities = new Capabilities() } = options;
	const skillDir = resolve(options.skillDir ?? dirname(script.path));
	const parameters = script.declaration?.ok ? script.declaration.parameters : undefined;
	const call = async (input: unknown, context: ToolContext = {}): Promise<ToolOutcome> => {
		const read = readScriptInput(input === HELP_REQUEST ? undefined : parameters, input);
		if (!read.ok) return toOutcome(refusedResult("invalid_arguments", read.message));
		const { args, stdin } = read.value;
		const given = stdin !== undefined && { stdin };
		const directory = movedPath(skillDir, context);
		const within = directory === skillDir ? options.within : directory;
		const place = { skillDir: directory, ...given, ...listening(context) };
		return toOutcome(await runScriptFile(movedPath(script.path, context), args, within, { capabilities, ...place }));
	};
	return Object.freeze({
		name: options.name,
		description: script.description,
		parameters: parameters === undefined ? SCRIPT_PARAMETERS : parametersSchema(parameters),
		validate: parameters === undefined ? readScriptArguments : (input: unknown) => readParameters(parameters, input),
		execute: async (input: unknown, context?: ToolContext): Promise<string> => (await call(input, context)).text,
		call,
		...withSource({ path: script.path, skillDir, capabilities, ...(parameters && { parameters }) }),
	});
}

function toOutcome(result: ScriptResult): ToolOutcome {
	const text = fitText(formatResult(result), config().scripts.maxModelBytes, result.truncatedBytes);
	return { text, isError: !hasSucceeded(result), script: outcomeOf(result) };
}

type RunOptions = Parameters<typeof runScript>[1];

async function runScriptFile(
	scriptPath: string,
	args: readonly string[],
	within: string | undefined,
	options: RunOptions,
): Promise<ScriptResult> {
	const { command, refusal } = await startOf(scriptPath, options.capabilities, within);
	if (refusal === undefined) return runScript([...command, ...args], options);
	return tellEnding(refusedResult(refusal.code, refusal.message), options);
}

const listening = ({ signal, onOutput, onLifecycle }: ToolContext): Pick<RunOptions, "signal" | "onOutput" | "onLifecycle"> => ({
	...(signal && { signal }),
	...(onOutput && { onOutput }),
	...(onLifecycle && { onLifecycle }),
});

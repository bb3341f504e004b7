import { parametersToInput } from "./parameters-to-input.js";
import { readParameters } from "./read-parameters.js";
import type { ScriptInput, ScriptParameters } from "./script-parameters.js";
import { readScriptArguments } from "./tool-arguments.js";

/** What a script is started with, or what is wrong with what was sent for it, as a line for the model. */
export type ReadScriptInput = { readonly ok: true; readonly value: ScriptInput } | { readonly ok: false; readonly message: string };

/**
 * What a script is started with for what a model, or a person, sent: the values of the parameters that it declares, by their names, or `{ args }` for
 * one that declares none. Runs nothing, never throws.
 */
export function readScriptInput(parameters: ScriptParameters | undefined, input: unknown): ReadScriptInput {
	if (parameters === undefined) return readScriptArguments(input);
	const read = readParameters(parameters, input);
	return read.ok ? { ok: true, value: parametersToInput(parameters, read.value) } : read;
}

import { readScriptInput, type ScriptInput } from "@robot-lab/core";
import { InvalidArgumentError } from "commander";
import { UsageError } from "./exit.js";
import type { RunnableScript } from "./script-choice.js";

/** Values by the names of parameters; of a name that was given several times a list. */
export type Params = ReadonlyMap<string, string | readonly string[]>;

export function collectParam(text: string, earlier: Params | undefined): Params {
	const at = text.indexOf("=");
	if (at < 1) throw new InvalidArgumentError("It takes a name and a value, e.g. --param limit=5.");
	const [name, value] = [text.slice(0, at), text.slice(at + 1)];
	const before = earlier?.get(name);
	return new Map([...(earlier ?? []), [name, before === undefined ? value : [before, value].flat()]]);
}

/**
 * What a script is started with: words as they are, or the parameters that it declares, checked as a model's are. Without any a script that takes
 * JSON gets the JSON of none.
 */
export function scriptInput({ file, parameters }: RunnableScript, args: readonly string[], params: Params | undefined): ScriptInput {
	if (params !== undefined && args.length > 0) {
		throw new UsageError("Give a script either arguments or --param, whose values become arguments.");
	}
	if (params !== undefined && parameters === undefined) {
		throw new UsageError(`${file} declares no parameters. Leave out --param and give its arguments behind --.`);
	}
	if (args.length > 0 || (params === undefined && parameters?.input !== "json")) return { args };
	const read = readScriptInput(parameters, Object.fromEntries(params ?? []));
	if (!read.ok) throw new UsageError(`${file}: ${read.message}.`);
	return read.value;
}

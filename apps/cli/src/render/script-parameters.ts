import type { ScriptParameter, ScriptParameters } from "@robot-lab/core";
import { columns } from "./columns.js";
import { printableLine } from "./printable.js";

/** What a script takes, one line for each parameter, as it would be typed. */
export function renderParameters({ input, parameters }: ScriptParameters): string[] {
	const rows = parameters.map((parameter) => [usage(parameter), printableLine(remarks(parameter), 140)]);
	return [...(input === "json" ? ["      as JSON on standard input"] : []), ...columns(rows, "      ")];
}

function usage(parameter: ScriptParameter): string {
	const name = parameter.kind === "argument" ? parameter.name : `--${parameter.name}`;
	if (parameter.kind === "flag") return name;
	return `${name} <${printableLine(valueText(parameter), 60)}>${parameter.multiple ? "…" : ""}`;
}

function valueText({ type, choices, minimum, maximum }: ScriptParameter): string {
	if (choices !== undefined) return choices.join("|");
	const word = { string: "text", integer: "whole number", number: "number", boolean: "true|false" }[type];
	return minimum === undefined && maximum === undefined ? word : `${word} ${minimum ?? ""}..${maximum ?? ""}`;
}

function remarks({ description = "", required, default: usual }: ScriptParameter): string {
	if (required) return `${description} (must be given)`;
	return usual === undefined ? description : `${description} (else ${usual})`;
}

import type { JSONSchema7 } from "@ai-sdk/provider";
import { freezeWhole } from "../value/freeze-whole.js";
import type { ScriptParameter, ScriptParameters } from "./script-parameters.js";

/** What a model is told of a script's parameters. Frozen. */
export function parametersSchema({ parameters }: ScriptParameters): JSONSchema7 {
	const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
	const schema: JSONSchema7 = {
		type: "object",
		properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterSchema(parameter)])),
		...(required.length > 0 && { required }),
		additionalProperties: false,
	};
	freezeWhole(schema);
	return schema;
}

function parameterSchema(parameter: ScriptParameter): JSONSchema7 {
	const { type, choices, minimum, maximum, description, multiple, required } = parameter;
	const said = description !== undefined && { description };
	const one: JSONSchema7 = {
		type,
		...(choices !== undefined && { enum: [...choices] }),
		...(minimum !== undefined && { minimum }),
		...(maximum !== undefined && { maximum }),
	};
	if (multiple) return { type: "array", ...said, items: one, ...(required && { minItems: 1 }) };
	return { ...one, ...said, ...(parameter.default !== undefined && { default: parameter.default }) };
}

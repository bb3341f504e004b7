import { fillBoolean, fillChoice } from "./fill-choice.js";
import { fillExplicit } from "./fill-explicit.js";
import { commandLineArguments, fillList } from "./fill-list.js";
import { fillNumbers } from "./fill-number.js";
import { fillString } from "./fill-string.js";
import { type Material, materialOf } from "./material.js";
import type { OfferedTool } from "./offered-tool.js";
import { type Parameter, parametersOf } from "./parameter.js";
import { type Role, roleOf } from "./role.js";

/** Arguments read from a message, in the order of the schema, and the required ones it does not tell. */
export interface FilledArguments {
	readonly args: Readonly<Record<string, unknown>>;
	readonly missing: readonly string[];
}

/** What is plain to recognise is taken first, so that free text gets only what is left. */
const ROLES: readonly Role[] = ["url", "email", "path", "host", "expression", "date", "time", "name", "text", "any"];

/** Takes a tool's arguments from a message: by name, by what a value looks like, by the words around it. */
export function fillArguments(message: string, tool: OfferedTool): FilledArguments {
	const material = materialOf(message, tool);
	const parameters = parametersOf(tool.parameters);
	const values = new Map<Parameter, unknown>();
	const fill = (parameter: Parameter, value: unknown): void => {
		if (value !== undefined && !values.has(parameter)) values.set(parameter, value);
	};
	const open = (): Parameter[] => parameters.filter((parameter) => !values.has(parameter));

	for (const parameter of open()) fill(parameter, fillExplicit(parameter, material));
	for (const cuedOnly of [true, false]) {
		for (const parameter of open().filter(({ choices }) => choices.length > 0)) fill(parameter, fillChoice(parameter, material, cuedOnly));
	}
	for (const parameter of open()) if (parameter.type === "boolean") fill(parameter, fillBoolean(parameter, material));
	for (const role of ROLES) {
		if (role === "name") for (const [parameter, value] of fillNumbers(open(), material)) fill(parameter, value);
		for (const parameter of open().filter((each) => roleOf(each) === role)) fill(parameter, fillByType(parameter, role, material));
	}
	return {
		args: Object.fromEntries(parameters.flatMap((parameter) => (values.has(parameter) ? [[parameter.name, values.get(parameter)]] : []))),
		missing: open().flatMap((parameter) => (parameter.required && parameter.type !== "boolean" ? [parameter.name] : [])),
	};
}

function fillByType(parameter: Parameter, role: Role, material: Material): unknown {
	if (parameter.choices.length > 0) return undefined;
	if (parameter.type === "string" && parameter.name === "args") return commandLineArguments(material)?.map(shellQuoted).join(" ");
	if (parameter.type === "string") return fillString(parameter, role, material);
	return parameter.type === "array" ? fillList(parameter, role, material) : undefined;
}

const shellQuoted = (text: string): string => (/^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

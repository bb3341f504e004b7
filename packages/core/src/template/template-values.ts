import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { frozenCopy } from "../value/frozen-copy.js";
import type { Template, TemplateContext } from "./template.js";

/** Values by the names of the parameters they are for. */
export type TemplateValues = ReadonlyMap<string, unknown>;

/**
 * What was given, as plain data that later changes do not touch. What is `undefined` or `null` is left out. Throws a ConfigurationError for what
 * is no object of values, and for a function or a symbol.
 */
export function templateValues(context: TemplateContext): TemplateValues {
	if (typeof context !== "object" || context === null || Array.isArray(context)) {
		throw new ConfigurationError(`context must be an object with values for a template, got ${describeValue(context)}.`);
	}
	const values = new Map<string, unknown>();
	for (const [name, value] of Object.entries(context)) {
		if (typeof value === "function" || typeof value === "symbol") {
			throw new ConfigurationError(
				`context.${name} is ${describeValue(value)}; a template takes text, numbers, true, false, lists and records.`,
			);
		}
		const copy: unknown = frozenCopy(value);
		if (copy !== undefined && copy !== null) values.set(name, copy);
	}
	return values;
}

/** Throws a ConfigurationError for values that none of the templates takes, with the nearest name that one does. */
export function checkKnown(values: TemplateValues, templates: readonly Template[]): void {
	const known = new Set(templates.flatMap(({ parameters, body }) => [...parameters.keys(), ...body.named]));
	const unknown = [...values.keys()].filter((name) => !known.has(name));
	const [first] = unknown;
	if (first === undefined) return;
	const names = unknown.map((name) => JSON.stringify(name)).join(", ");
	if (templates.length === 0)
		throw new ConfigurationError(`context has ${names}, and there is no template that takes values. Name one: template: "…".`);
	const takers = templates.map(({ id }) => `"${id}"`).join(", ");
	const taken = known.size === 0 ? "takes none" : `takes ${[...known].sort().join(", ")}`;
	throw new ConfigurationError(`context has ${names}, which the template ${takers} does not take.${didYouMean(first, known)} It ${taken}.`);
}

/** What each template is filled in with: what was given over its own defaults. Throws a ConfigurationError that names every value that is missing. */
export function filledIn(values: TemplateValues, templates: readonly Template[]): readonly TemplateValues[] {
	const filled = templates.map(({ parameters }) => new Map([...[...parameters].filter(([, value]) => value !== null), ...values]));
	const gaps = templates.flatMap(({ id, parameters, body }, index) => {
		const missing = [...new Set([...parameters.keys(), ...body.needed])].filter((name) => !filled[index]?.has(name));
		return missing.length === 0 ? [] : [`the template "${id}" needs ${missing.join(", ")}`];
	});
	if (gaps.length === 0) return filled;
	throw new ConfigurationError(
		`Missing values: ${gaps.join("; ")}. Give them as context: { … }, to the robot or to run(), or write defaults into the template.`,
	);
}

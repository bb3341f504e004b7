import type { JSONSchema7 } from "@ai-sdk/provider";
import { cuesOf, type Material, stemOfToken, unused, wordBefore } from "./material.js";
import type { Parameter } from "./parameter.js";
import { likeness } from "./related-words.js";
import type { Token } from "./tokens.js";

const REACH = 3;

/** Gives each number to the parameter whose words stand nearest; what has no such words gets the numbers left, in order. */
export function fillNumbers(parameters: readonly Parameter[], material: Material): Map<Parameter, number> {
	const filled = new Map<Parameter, number>();
	const numeric = parameters.filter(({ type, choices }) => (type === "number" || type === "integer") && choices.length === 0);
	const pairs = numeric
		.flatMap((parameter) =>
			unused(material, "number").map((token) => ({ parameter, token, nearness: nearness(parameter, token, material) })),
		)
		.filter(({ parameter, token, nearness }) => nearness > 0 && fits(token.value, parameter))
		.sort((left, right) => right.nearness - left.nearness || left.token.start - right.token.start);
	for (const { parameter, token } of pairs) assign(parameter, token, filled, material);
	for (const parameter of numeric.filter(({ required }) => required || numeric.length === 1)) {
		const token = unused(material, "number").find(({ value }) => fits(value, parameter));
		if (token !== undefined) assign(parameter, token, filled, material);
	}
	return filled;
}

function assign(parameter: Parameter, token: Token, filled: Map<Parameter, number>, { used }: Material): void {
	if (filled.has(parameter) || used.has(token) || token.value === undefined) return;
	filled.set(parameter, token.value);
	used.add(token);
}

/** How near the parameter's words stand to a number: its name counts more than its description, the word next to it most. */
function nearness(parameter: Parameter, token: Token, material: Material): number {
	const { tokens } = material;
	const at = tokens.indexOf(token);
	let best = cuesOf(parameter.nameStems).has(wordBefore(material, token)) ? 1.5 : 0;
	for (let index = Math.max(0, at - REACH); index <= Math.min(tokens.length - 1, at + REACH); index++) {
		const other = tokens[index];
		if (other === undefined || other.kind !== "word") continue;
		const alike = Math.max(...parameter.nameStems.map((stem) => likeness(stem, stemOfToken(other)) * 2), 0);
		const described = Math.max(...parameter.descriptionStems.map((stem) => likeness(stem, stemOfToken(other))), 0);
		best = Math.max(best, Math.max(alike, described) * (1 - (Math.abs(index - at) - 1) / (REACH + 1)));
	}
	return best;
}

function fits(value: number | undefined, { type, schema }: Parameter): boolean {
	if (value === undefined || (type === "integer" && !Number.isInteger(value))) return false;
	const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: JSONSchema7 = schema;
	return value >= minimum && value <= maximum;
}

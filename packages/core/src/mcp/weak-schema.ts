import type { JSONSchema7 } from "@ai-sdk/provider";
import { isRecord } from "../text/describe-value.js";

type Fields = Readonly<Record<string, unknown>>;

/** Schemas that are looked into; a reference counts anew each time it is followed. */
const MAX_NODES = 2_000;
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"];

/**
 * A schema that accepts everything the given one accepts, and whose check takes time in proportion to the arguments: no patterns, which
 * can take for ever; no references, which can double at each step or lead back; nothing that turns weaker into stronger (`not`, `if`,
 * exactly one of). What it lets through, the server refuses itself.
 */
export function weakSchema(schema: JSONSchema7): JSONSchema7 {
	const weak = new Weakening(schema as Fields).node(schema, []);
	return { ...(typeof weak === "object" ? weak : {}), type: "object" };
}

class Weakening {
	readonly #root: Fields;
	#left = MAX_NODES;

	constructor(root: Fields) {
		this.#root = root;
	}

	/** @param followed The references that led here. */
	node(schema: unknown, followed: readonly string[]): Fields | boolean {
		if (typeof schema === "boolean") return schema;
		this.#left -= 1;
		if (!isRecord(schema) || this.#left < 0) return true;
		// beside a reference draft 7 ignores everything else
		if (schema.$ref !== undefined) return this.#referred(schema.$ref, followed);
		return {
			...pick(schema, "type", isType),
			...pick(schema, "enum", Array.isArray),
			...pick(schema, "required", Array.isArray),
			...("const" in schema && { const: schema.const }),
			...Object.assign({}, ...NUMBERS.map((name) => pick(schema, name, Number.isFinite))),
			...this.#objects(schema, followed),
			...this.#lists(schema, followed),
			...this.#choices(schema, followed),
		};
	}

	#referred(reference: unknown, followed: readonly string[]): Fields | boolean {
		if (typeof reference !== "string" || followed.includes(reference)) return true;
		return this.node(targetOf(reference, this.#root), [...followed, reference]);
	}

	#objects({ properties, additionalProperties, patternProperties }: Fields, followed: readonly string[]): Fields {
		const isWhole = patternProperties === undefined && additionalProperties !== undefined;
		return {
			...(isRecord(properties) && { properties: this.#each(properties, followed) }),
			// What a pattern allows is not additional, and patterns are not looked at.
			...(isWhole && { additionalProperties: this.node(additionalProperties, followed) }),
		};
	}

	#each(schemas: Fields, followed: readonly string[]): Fields {
		return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, this.node(schema, followed)]));
	}

	#lists({ items, prefixItems }: Fields, followed: readonly string[]): Fields {
		return isRecord(items) && prefixItems === undefined ? { items: this.node(items, followed) } : {};
	}

	#choices({ allOf, anyOf, oneOf }: Fields, followed: readonly string[]): Fields {
		const all = Array.isArray(allOf) ? allOf.map((schema) => this.node(schema, followed)) : [];
		const any = [anyOf, oneOf].filter(Array.isArray).map((list) => ({ anyOf: list.map((schema) => this.node(schema, followed)) }));
		return all.length + any.length === 0 ? {} : { allOf: [...all, ...any] };
	}
}

function targetOf(reference: string, root: Fields): unknown {
	if (reference === "#") return root;
	let target: unknown = root;
	for (const segment of reference.slice(2).split("/")) {
		const key = decoded(segment).replaceAll("~1", "/").replaceAll("~0", "~");
		if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return true;
		target = (target as Fields)[key];
	}
	return target;
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

const pick = (schema: Fields, key: string, isUsable: (value: unknown) => boolean): Fields =>
	Object.hasOwn(schema, key) && isUsable(schema[key]) ? { [key]: schema[key] } : {};

const isType = (value: unknown): boolean => typeof value === "string" || Array.isArray(value);

import mustache from "mustache";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { TemplateBody } from "./compile-body.js";

/** Far above any prompt, and what a list in a list in a list comes to in no time. */
const MAX_CHARACTERS = 1_000_000;
const MAX_STEPS = 1_000_000;

/**
 * Fills in a text. What is filled in stays as it is: nothing is escaped, and no braces in it are looked at again. Throws a ConfigurationError,
 * without the template's name, only for what comes to more than a million characters or steps.
 *
 * @param values Plain data, as `frozenCopy` makes it: lists, records, text, numbers, true and false. What they inherit is not looked at.
 */
export function renderBody({ tokens }: TemplateBody, values: ReadonlyMap<string, unknown>): string {
	const view: Record<string, unknown> = Object.create(null);
	for (const [name, value] of values) view[name] = value;
	const filler = new Filler();
	return filler.renderTokens(tokens as unknown as string[][], new Values(view, undefined, filler));
}

/** Mustache's writer, but that it escapes nothing and comes to an end. */
class Filler extends mustache.Writer {
	#characters = 0;
	#steps = 0;

	override rawValue([, text = ""]: string[]): string {
		return this.#counted(text);
	}

	override escapedValue([, name = ""]: string[], values: Values): string {
		return this.#counted(textOf(values.lookup(name)));
	}

	override unescapedValue(token: string[], values: Values): string {
		return this.escapedValue(token, values);
	}

	step(): void {
		this.#steps += 1;
		if (this.#steps > MAX_STEPS) throw new ConfigurationError(`takes more than ${MAX_STEPS} steps to fill in. Give it shorter lists.`);
	}

	#counted(text: string): string {
		this.#characters += text.length;
		if (this.#characters > MAX_CHARACTERS) throw new ConfigurationError(`comes to more than ${MAX_CHARACTERS} characters. Give it less.`);
		return text;
	}
}

/** Mustache's context, but that it finds only what the values themselves hold and calls nothing. */
class Values extends mustache.Context {
	readonly #above: Values | undefined;
	readonly #filler: Filler;

	constructor(view: unknown, above: Values | undefined, filler: Filler) {
		super(view, above);
		this.#above = above;
		this.#filler = filler;
	}

	override push(view: unknown): Values {
		this.#filler.step();
		return new Values(view, this, this.#filler);
	}

	override lookup(name: string): unknown {
		this.#filler.step();
		if (name === ".") return this.view;
		const [first = "", ...rest] = name.split(".");
		let holder: Values | undefined = this;
		while (holder !== undefined && !holds(holder.view, first)) holder = holder.#above;
		let value: unknown = holder?.view;
		for (const step of [first, ...rest]) value = holds(value, step) ? value[step] : undefined;
		return value;
	}
}

const holds = (value: unknown, name: string): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null && Object.hasOwn(value, name);

/** Nothing for nothing, a text as it is, lists and records as JSON. */
function textOf(value: unknown): string {
	if (value === undefined || value === null) return "";
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

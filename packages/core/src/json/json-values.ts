import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { shorten } from "../text/shorten.js";

/** What JSON can say, and nobody can change. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Deeper than data is by itself, and far from where `JSON.stringify` runs out of stack. What holds itself ends here too. */
const MAX_LEVELS = 100;

/** Lists, records and what is in them, each counted as often as it would be written out. */
const MAX_PARTS = 1_000_000;

const MAX_NAME_CHARACTERS = 40;

/** What is known of a frozen copy of ours. */
interface Measure {
	readonly parts: number;
	readonly levels: number;
}

/**
 * Makes values that can be kept: frozen copies of what JSON can say. Unlike `JSON.stringify` it loses nothing silently: what would be dropped,
 * emptied or turned into null is refused. Its own copies are recognised and not copied again.
 */
export class JsonValues {
	readonly #known: WeakMap<object, Measure> = new WeakMap();

	/**
	 * The value as JSON, frozen through. What has a `toJSON` becomes what that answers, and entries of a record that are `undefined` are left
	 * out, both as everywhere in JSON.
	 *
	 * @param what Begins the message of the ConfigurationError that is thrown for anything else, e.g. `memory.set("a")`.
	 */
	accept(value: unknown, what: string): Json {
		if (typeof value !== "object" || value === null || !this.#known.has(value)) return this.#copy(new Copy(this.#known, what), value);
		return value as Json;
	}

	#copy(copy: Copy, value: unknown): Json {
		const json = copy.of(value);
		if (typeof json === "object" && json !== null) this.#known.set(json, copy.measure);
		return json;
	}
}

/** One value that is being copied. */
class Copy {
	readonly #known: WeakMap<object, Measure>;
	readonly #what: string;
	readonly #path: (string | number)[] = [];
	#parts = 0;
	#levels = 0;

	constructor(known: WeakMap<object, Measure>, what: string) {
		this.#known = known;
		this.#what = what;
	}

	/** What it has come to by now. */
	get measure(): Measure {
		return { parts: this.#parts, levels: this.#levels };
	}

	of(value: unknown): Json {
		try {
			return this.#copy(value);
		} catch (cause) {
			if (ConfigurationError.isInstance(cause)) throw cause;
			throw this.#refusal("cannot be read: reading it throws", cause);
		}
	}

	#copy(value: unknown, isAnswer = false): Json {
		this.#count(1);
		switch (typeof value) {
			case "string":
			case "boolean":
				return value;
			case "number":
				if (!Number.isFinite(value)) throw this.#refusal(`is ${value}, which JSON has no word for`);
				return value === 0 ? 0 : value; // JSON forgets the sign of 0
			case "object":
				return value === null ? null : this.#object(value, isAnswer);
			default:
				throw this.#refusal(`is ${describeValue(value)}, which is no JSON`);
		}
	}

	#count(parts: number): void {
		this.#parts += parts;
		if (this.#parts > MAX_PARTS) throw this.#refusal(`is too much: more than ${MAX_PARTS} parts`);
	}

	#object(value: object, isAnswer: boolean): Json {
		const known = this.#known.get(value);
		const levels = this.#path.length + (known?.levels ?? 1);
		if (levels > MAX_LEVELS) throw this.#refusal(`is nested more than ${MAX_LEVELS} deep, or holds itself`);
		this.#levels = Math.max(this.#levels, levels);
		if (known !== undefined) {
			this.#count(known.parts - 1);
			return value as Json;
		}
		if (!isAnswer && "toJSON" in value && typeof value.toJSON === "function") return this.#copy(value.toJSON(), true);
		return Object.freeze(Array.isArray(value) ? this.#list(value) : this.#record(value));
	}

	#list(list: readonly unknown[]): Json[] {
		return Array.from(list, (entry, index) => this.#at(index, entry));
	}

	#record(record: object): Record<string, Json> {
		if (!isPlain(record)) throw this.#refusal(`is ${kindOf(record)}, which JSON cannot hold`);
		const entries: [string, Json][] = [];
		for (const name of Object.keys(record)) {
			const entry = (record as Readonly<Record<string, unknown>>)[name];
			if (entry !== undefined) entries.push([name, this.#at(name, entry)]);
		}
		return Object.fromEntries(entries);
	}

	#at(step: string | number, entry: unknown): Json {
		this.#path.push(step);
		const copy = this.#copy(entry);
		this.#path.pop();
		return copy;
	}

	#refusal(problem: string, cause?: unknown): ConfigurationError {
		const where = this.#path.slice(0, 8).map((step) => (typeof step === "number" ? `[${step}]` : `.${shorten(step, MAX_NAME_CHARACTERS)}`));
		const place = `value${where.join("")}${this.#path.length > where.length ? "…" : ""}`;
		const message = `${this.#what}: ${place} ${problem}. It has to be plain data: text, numbers, true, false, null, lists and records.`;
		return new ConfigurationError(message, cause === undefined ? {} : { cause });
	}
}

/** Whether a record is one by itself and no instance of a class: in another realm, `Object.prototype` is another. */
function isPlain(record: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(record);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function kindOf(instance: object): string {
	const name: unknown = instance.constructor?.name;
	return typeof name === "string" && name !== "" ? `an instance of ${shorten(name, MAX_NAME_CHARACTERS)}` : "an instance of a class";
}

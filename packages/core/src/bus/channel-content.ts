import type { StandardSchemaV1 } from "@standard-schema/spec";
import { BusError } from "../errors/bus-error.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { type Json, JsonValues } from "../json/json-values.js";
import { describeValue, isList, isRecord } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import type { Letter } from "./letter.js";

/** What the content of channels has to be like: Standard Schemas (zod, valibot, arktype, …) by the names of the recipients. */
export type ChannelSchemas = Readonly<Record<string, StandardSchemaV1>>;

/** What can be sent to a name: what its schema takes, and anything where it has none. */
export type ContentTo<Channels, To extends string> = To extends keyof Channels ? InputOf<Channels[To]> : unknown;

/** What is received below a name: what its schema makes of it, and anything that JSON can say where it has none. */
export type ContentOf<Channels, Name extends string> = Name extends keyof Channels ? OutputOf<Channels[Name]> : Json;

type InputOf<Schema> = Schema extends StandardSchemaV1 ? StandardSchemaV1.InferInput<Schema> : unknown;
type OutputOf<Schema> = Schema extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<Schema> : Json;

const MAX_ISSUES = 5;

/** Longer ones are cut where they are shown. */
const MAX_NAME_CHARACTERS = 60;

/** Makes messages' contents of what is to be sent: checked by the schema of the channel, and a frozen copy. */
export class ChannelContents {
	readonly json: JsonValues = new JsonValues();
	/** `undefined` where there are none. */
	readonly #schemas: ReadonlyMap<string, StandardSchemaV1> | undefined;

	/** Throws ConfigurationError for what is no record of Standard Schemas. */
	constructor(schemas: ChannelSchemas) {
		if (!isRecord(schemas))
			throw new ConfigurationError(`new MessageBus() needs a record of schemas as channels, got ${describeValue(schemas)}.`);
		const entries = Object.entries(schemas);
		for (const [name, schema] of entries) if (!isStandardSchema(schema)) throw noSchema(name, schema);
		if (entries.length > 0) this.#schemas = new Map(entries);
	}

	/**
	 * The content for a channel; a promise where its schema is asynchronous. Throws, or rejects with, BusError `invalid_content` for what the schema
	 * refuses, and ConfigurationError for what JSON cannot say.
	 */
	accept(letter: Pick<Letter, "to" | "content" | "inReplyTo">): Json | Promise<Json> {
		const { to, content } = letter;
		const schema = this.#schemas?.get(to);
		if (schema === undefined) return this.#plain(letter, content);
		const result = guarded(letter, () => {
			const answer = schema["~standard"].validate(content) as unknown;
			return isThenable(answer) ? this.#acceptLater(letter, answer) : { value: valueIn(answer) };
		});
		return result instanceof Promise ? result : this.#plain(letter, result.value);
	}

	/** `await` alone waits for a promise by what it is, whatever was hung on it. */
	async #acceptLater(letter: Refusable, answer: PromiseLike<unknown>): Promise<Json> {
		let value: unknown;
		try {
			value = valueIn(await answer);
		} catch (error) {
			throw invalid(letter, error);
		}
		return this.#plain(letter, value);
	}

	#plain(letter: Refusable, content: unknown): Json {
		// nothing to copy, and most of what is sent. Not so 0, which may be -0: JSON forgets that sign
		if (typeof content === "string" || (typeof content === "number" && Number.isFinite(content) && content !== 0)) return content;
		return this.json.accept(content, actionOf(letter));
	}
}

/** What a schema refuses. */
class Refusal extends Error {}

type Refusable = Pick<Letter, "to" | "inReplyTo">;

function guarded<T>(letter: Refusable, check: () => T): T {
	try {
		return check();
	} catch (error) {
		throw invalid(letter, error);
	}
}

/** Throws what is wrong. arktype's schemas are functions, and its issues a list that has its own name. */
function valueIn(result: unknown): unknown {
	const { value, issues } = (typeof result === "object" && result !== null ? result : {}) as Partial<Record<"value" | "issues", unknown>>;
	if (isList(issues)) throw new Refusal(issues.slice(0, MAX_ISSUES).map(issueText).join("; "));
	if (issues === undefined && value !== undefined) return value;
	throw new Refusal("its schema answered with neither a value nor a list of issues");
}

function issueText(given: unknown): string {
	const path: unknown = isRecord(given) ? given.path : undefined;
	const place = isList(path) ? path.map((step) => String(isRecord(step) ? step.key : step)).join(".") : "";
	return place === "" ? messageOf(given) : `${place}: ${messageOf(given)}`;
}

const actionOf = ({ to, inReplyTo }: Refusable): string =>
	`Cannot send ${inReplyTo === undefined ? "" : "the reply "}to ${to.length > MAX_NAME_CHARACTERS ? describeValue(to) : `"${to}"`}`;

/** @param error What is wrong, or what the schema itself failed with. */
const invalid = (letter: Refusable, error: unknown): BusError =>
	new BusError(
		"invalid_content",
		`${actionOf(letter)}: the content is not what this channel takes: ${messageOf(error)}. Send what its schema describes.`,
		error instanceof Refusal ? {} : { cause: error },
	);

function isStandardSchema(value: unknown): value is StandardSchemaV1 {
	if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
	const standard = (value as { readonly "~standard"?: { readonly validate?: unknown } })["~standard"];
	return typeof standard?.validate === "function";
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
	(typeof value === "object" || typeof value === "function") && value !== null && "then" in value && typeof value.then === "function";

const noSchema = (name: string, schema: unknown): ConfigurationError =>
	new ConfigurationError(
		`new MessageBus() needs a Standard Schema for the channel ${describeValue(name)}, got ${describeValue(schema)}. Pass one of zod, valibot or arktype.`,
	);

import { ConfigurationError } from "../errors/configuration-error.js";
import { type Json, JsonValues } from "../json/json-values.js";
import type { RobotResult } from "../message/robot-result.js";
import { recordOf } from "../network/record-of.js";
import type { TaskFlow } from "../network/task-options.js";
import { compileBody, type TemplateBody } from "../template/compile-body.js";
import { renderBody } from "../template/render-body.js";
import { isRecord } from "../text/describe-value.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { type DeclaredMap, namesText } from "./declared-map.js";
import { namesInText, TEXT_NAMES } from "./names-in-text.js";

/** A text of a file with places to be filled in: `{{message}}`, `{{results.facts}}`, `{{context.language}}`. It calls nothing. */
export class DeclaredText {
	/** The tasks whose results it names. */
	readonly results: ReadonlySet<string>;
	/** The values of the context that it names. */
	readonly context: ReadonlySet<string>;
	/** What of it must be there: names parted by dots. */
	readonly needed: ReadonlySet<string>;
	/** Whether it names the context as a whole, and so whatever is in it. */
	readonly takesAll: boolean;
	readonly #place: string;
	readonly #body: TemplateBody;

	/** Throws ConfigurationError for what is no text with names in it that there are. */
	constructor(map: DeclaredMap, key: string, text: string) {
		this.#place = map.place(key);
		this.#body = map.within(key, () => compileBody(text, 1));
		const results = new Set<string>();
		const context = new Set<string>();
		const needed = new Set<string>();
		let takesAll = false;
		for (const { path, isOpen, isNeeded } of namesInText(this.#body.tokens)) {
			if (isOpen) continue;
			const [first = "", second, ...rest] = path.split(".");
			if (!TEXT_NAMES.some((name) => name === first))
				throw map.error(key, `has {{${path}}}, which is none of its values`, namesText(first, TEXT_NAMES));
			if (first === "results" && second !== undefined) results.add(second);
			if ((first === "message" && second !== undefined) || (first === "results" && rest.length > 0)) {
				throw map.error(
					key,
					`has {{${path}}}, and ${path.split(".").slice(0, -1).join(".")} is a text`,
					"Leave away what stands behind it.",
				);
			}
			if (first !== "context") continue;
			if (second === undefined) takesAll = true;
			else context.add(second);
			if (second !== undefined && isNeeded) needed.add([second, ...rest].join("."));
		}
		this.results = results;
		this.context = context;
		this.needed = needed;
		this.takesAll = takesAll;
	}

	/**
	 * Filled in, without blanks around it. The result of a task that was left out is nothing. Throws ConfigurationError for a value of the context
	 * that is not there, and for a text that gets too long.
	 */
	fill({ message, results }: Pick<TaskFlow, "message" | "results">, context: Readonly<Record<string, unknown>>): string {
		const known = frozenCopy({ ...context });
		const missing = [...this.needed].filter((path) => !isThere(path, known));
		if (missing.length > 0) throw this.lacks(missing);
		const texts = Object.entries<RobotResult | undefined>(results).map(([task, result]) => [task, result?.lastTextContent ?? ""] as const);
		try {
			const values = new Map<string, unknown>([
				["message", message],
				["results", recordOf(texts)],
				["context", known],
			]);
			return renderBody(this.#body, values).trim();
		} catch (error) {
			if (!ConfigurationError.isInstance(error)) throw error;
			throw new ConfigurationError(`${this.#place} ${error.message}`, { cause: error });
		}
	}

	/** That it needs values of the context which nobody gives. @param missing Of {@link needed}. */
	lacks(missing: readonly string[]): ConfigurationError {
		const names = missing.map((name) => `context.${name}`).join(", ");
		return new ConfigurationError(
			`${this.#place} needs ${names}. Give it to the run as context; on the command line, --context ${missing[0]?.split(".")[0]}=….`,
		);
	}
}

function isThere(path: string, context: unknown): boolean {
	let value = context;
	for (const name of path.split(".")) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
	return value !== undefined && value !== null;
}

/** Values of a file, in which every text may have places to be filled in. */
export class DeclaredContext {
	readonly texts: readonly DeclaredText[];
	readonly #values: Json;
	readonly #byText: ReadonlyMap<string, DeclaredText>;

	/** Throws ConfigurationError for what is no plain data, and for texts as {@link DeclaredText} does. */
	constructor(map: DeclaredMap, key: string, values: unknown) {
		this.#values = new JsonValues().accept(values, map.place(key));
		const byText = new Map<string, DeclaredText>();
		replaced(this.#values, (text) => {
			if (!byText.has(text)) byText.set(text, new DeclaredText(map, key, text));
			return text;
		});
		this.#byText = byText;
		this.texts = [...byText.values()];
	}

	/** With every text filled in. @param context What texts call `context`. */
	fill(flow: Pick<TaskFlow, "message" | "results">, context: Readonly<Record<string, unknown>>): Readonly<Record<string, Json>> {
		const fill = (text: string): string => this.#byText.get(text)?.fill(flow, context) ?? text;
		return replaced(this.#values, fill) as Readonly<Record<string, Json>>;
	}

	/** As they are written. */
	get written(): Readonly<Record<string, Json>> {
		return this.#values as Readonly<Record<string, Json>>;
	}
}

/** A copy with every text replaced. Not nested deeper than what JSON holds may be. */
function replaced(value: Json, replace: (text: string) => string): Json {
	if (typeof value === "string") return replace(value);
	if (Array.isArray(value)) return value.map((entry: Json) => replaced(entry, replace));
	if (typeof value !== "object" || value === null) return value;
	return recordOf(Object.entries(value).map(([name, entry]) => [name, replaced(entry, replace)] as const));
}

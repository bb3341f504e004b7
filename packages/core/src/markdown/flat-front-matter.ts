import { type FrontMatter, KeyLines } from "./front-matter.js";

type Values = Record<string, unknown>;

/** `key:`, indented or not, with nothing or a blank behind it. */
const KEY = /^( *)([A-Za-z_][A-Za-z0-9_.-]{0,99}):(?= |$)/;
/** What a plain text begins with that begins nothing else in YAML. */
const BEGINS_TEXT = /^[\p{L}_/(.=<$]/u;
/** What ends a plain text, or is read in more than one way. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const DOUBTFUL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;
const ENDS_TEXT = /: | #|:$/;
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;
/** Numbers may begin with a point. */
const POINTED = /^\.[0-9.iInN]/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
	...["null", "Null", "NULL"].map((word) => [word, null] as const),
	...["true", "True", "TRUE"].map((word) => [word, true] as const),
	...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/**
 * Reads the lines between the fences where they are no more than `key: value`, with at most one map of such lines below a key, as nearly
 * all front matter is. `undefined` for all else, mistakes included: that is for the parser of YAML, with which this agrees in every value.
 * It takes a tenth of its time.
 */
export function readFlatFrontMatter(text: string): FrontMatter | undefined {
	const values: Values = Object.create(null);
	const lines = new KeyLines();
	/** The key whose value is still to come, and the map that it turned out to be. */
	let open: string | undefined;
	let below: { readonly indent: number; readonly values: Values } | undefined;
	let number = 1;
	for (const line of text.split("\n")) {
		number++;
		if (line === "" || line.startsWith("#")) continue;
		const entry = KEY.exec(line);
		if (entry === null) return undefined;
		const [start, { length: indent } = "", key = ""] = entry;
		const written = withoutBlanks(line, start.length);
		if (indent > 0 && open !== undefined) {
			below ??= { indent, values: Object.create(null) as Values };
			if (indent !== below.indent || !assign(below.values, key, written)) return undefined;
			values[open] = below.values;
			lines.set(open, key, number);
			continue;
		}
		if (indent > 0 || !assign(values, key, written)) return undefined;
		lines.set(key, undefined, number);
		open = written === "" ? key : undefined;
		if (below !== undefined) Object.freeze(below.values);
		below = undefined;
	}
	if (below !== undefined) Object.freeze(below.values);
	return { values: Object.freeze(values), lineOf: lines.lineOf };
}

/** What stands behind `from` without the blanks around it; other white space is text to YAML. */
function withoutBlanks(line: string, from: number): string {
	let [begin, end] = [from, line.length];
	while (begin < end && line.charCodeAt(begin) === BLANK) begin++;
	while (end > begin && line.charCodeAt(end - 1) === BLANK) end--;
	return line.slice(begin, end);
}

/** Whether it was one that is surely read. */
function assign(values: Values, key: string, written: string): boolean {
	if (key in values || WORDS.has(key)) return false;
	const value = readScalar(written);
	if (value === undefined) return false;
	values[key] = value;
	return true;
}

function readScalar(written: string): unknown {
	if (written === "") return null;
	if (DOUBTFUL.test(written)) return undefined;
	const first = written.charCodeAt(0);
	if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return readQuoted(written, first);
	if (BEGINS_TEXT.test(written)) {
		if (ENDS_TEXT.test(written) || POINTED.test(written)) return undefined;
		const word = WORDS.get(written);
		return word === undefined ? written : word;
	}
	return WHOLE_NUMBER.test(written) ? Number(written) : undefined;
}

const BLANK = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

function readQuoted(written: string, quote: number): string | undefined {
	const sign = String.fromCharCode(quote);
	if (written.length < 2 || written.indexOf(sign, 1) !== written.length - 1) return undefined;
	const inner = written.slice(1, -1);
	return quote === DOUBLE_QUOTE && inner.includes("\\") ? undefined : inner;
}

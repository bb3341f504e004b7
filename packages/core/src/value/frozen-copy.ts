/** Deeper than any message is by itself, and far from where `JSON.stringify` runs out of stack. */
const MAX_DEPTH = 100;

/** How many lists and records a copy holds, each counted as often as it would be written out. */
const MAX_WRITTEN = 100_000;

/**
 * A copy that nobody can change any more, however deep, and that `JSON.stringify` can always write. Lists and plain objects stay what they
 * are; the rest becomes what it is in JSON: a date its ISO text, an instance of a class its own entries. Where JSON says nothing or gives up,
 * the copy says what was meant: an error its name and message, a map its pairs, a set its members, bytes base64, a bigint its digits. Functions
 * and symbols become `undefined`. A text in brackets stands for what refers to itself, is nested more than 100 deep, comes after 100,000 lists
 * and records, or throws when it is read.
 */
export function frozenCopy<T>(value: T): T {
	return copyOf(value, new Copying()) as T;
}

/**
 * {@link frozenCopy} of every entry of an object, in one object with those of `over`, which win. An entry that throws when it is read is a
 * text in brackets; an object that cannot be listed at all, as a revoked proxy, throws.
 */
export function frozenEntries<Over extends object>(entries: object, over: Over): Readonly<Record<string, unknown>> & Over {
	return frozenOwn(ownEntries(entries, over)) as Readonly<Record<string, unknown>> & Over;
}

/** Freezes a record that nobody else holds and that has keys of text only; what it holds is copied as {@link frozenCopy} does. */
export function frozenOwn<Entries extends Record<string, unknown>>(record: Entries): Readonly<Entries> {
	return (isFlat(record) ? Object.freeze(record) : frozen(record, new Copying())) as Readonly<Entries>;
}

/** Whether a value has parts that could be changed. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

interface Copied {
	/** Absent while it is being made. */
	copy?: unknown;
	/** The lists and records in it. */
	written: number;
}

/** What one copy has come by so far. */
class Copying {
	#depth = 0;
	#written = 0;
	/** Made when first needed: most data is flat. */
	#known: Map<object, Copied> | undefined;

	/** The copy of `value`, made once; a text in brackets where there can be none. */
	once(value: object, make: () => unknown): unknown {
		this.#known ??= new Map();
		const known = this.#known.get(value);
		if (known?.written === 0) return "[refers to itself]";
		if (this.#written + (known?.written ?? 1) > MAX_WRITTEN) return "[too much]";
		if (known !== undefined) {
			this.#written += known.written;
			return known.copy;
		}
		if (this.#depth === MAX_DEPTH) return "[nested too deep]";
		const made: Copied = { written: 0 };
		this.#known.set(value, made);
		const before = this.#written++;
		this.#depth += 1;
		made.copy = make();
		this.#depth -= 1;
		made.written = this.#written - before;
		return made.copy;
	}
}

function copyOf(value: unknown, copying: Copying): unknown {
	switch (typeof value) {
		case "object":
			return value === null ? null : copying.once(value, () => readable(() => copyOfObject(value, copying)));
		case "bigint":
			return String(value);
		case "function":
		case "symbol":
			return undefined;
		default:
			return value;
	}
}

function copyOfObject(value: object, copying: Copying): unknown {
	const plain = plainOf(value);
	if (!isObject(plain)) return copyOf(plain, copying);
	if (Array.isArray(plain)) return Object.freeze(Array.from(plain, (entry) => copyOf(entry, copying)));
	const entries = ownEntries(plain);
	return frozen(Object.getPrototypeOf(plain) === null ? { __proto__: null, ...entries } : entries, copying);
}

/** What is neither list nor record, as one or as text. */
function plainOf(value: object): unknown {
	if (Array.isArray(value)) return value;
	if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
	if (value instanceof Map || value instanceof Set) return [...value];
	if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON();
	if (!(value instanceof Error)) return value;
	const { name, message, cause } = value;
	return { ...value, name, message, ...(cause !== undefined && { cause }) };
}

/** A new record with what an object holds under keys of text, and over it what another does. */
function ownEntries(value: object, over: object = {}): Record<string, unknown> {
	try {
		// nearly every event is a few texts: to spread both would cost as much as all the rest of it
		const entries: Record<string, unknown> = Object.assign({ ...value } as Record<string, unknown>, over);
		for (const symbol of Object.getOwnPropertySymbols(entries)) Reflect.deleteProperty(entries, symbol);
		return entries;
	} catch {
		const entry = (key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];
		return { ...Object.fromEntries(Object.keys(value).map((key) => [key, readable(() => entry(key))])), ...over };
	}
}

/** Whether a record holds nothing of which there would have to be a copy. */
function isFlat(record: Readonly<Record<string, unknown>>): boolean {
	for (const key in record) {
		const value = record[key];
		if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean" && value !== undefined) return false;
	}
	return true;
}

/** Freezes a record that nobody else holds, with copies of what it holds. */
function frozen(record: Record<string, unknown>, copying: Copying): object {
	for (const key of Object.keys(record)) {
		const value = record[key];
		const copy = copyOf(value, copying);
		if (copy !== value) record[key] = copy;
	}
	return Object.freeze(record);
}

function readable(read: () => unknown): unknown {
	try {
		return read();
	} catch {
		return "[cannot be read]";
	}
}

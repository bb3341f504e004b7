/** What the lines between the fences say. */
export interface FrontMatter {
	/** Deeply frozen, objects without a prototype. */
	readonly values: Readonly<Record<string, unknown>>;
	/** The line of a key, or of one in the map below it, counted from 1 at the line of the first fence. `undefined` where it cannot be told. */
	readonly lineOf: (key: string, below?: string) => number | undefined;
}

/** Lines of keys, filled while they are read. */
export class KeyLines {
	readonly #lines = new Map<string, number>();

	set(key: string, below: string | undefined, line: number): void {
		this.#lines.set(placeOf(key, below), line);
	}

	readonly lineOf = (key: string, below?: string): number | undefined => this.#lines.get(placeOf(key, below));
}

/** A line feed is in no key that stands on a line. */
const placeOf = (key: string, below: string | undefined): string => (below === undefined ? key : `${key}\n${below}`);

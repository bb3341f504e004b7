import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue, isList } from "../text/describe-value.js";

/** The entries of an object that nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads one field. Throws ConfigurationError naming it. */
export type ReadField<T> = (value: unknown, field: string) => T;

/** Reads data that nobody has checked yet, field by field. Each method throws ConfigurationError naming the field. */
export class FieldReader {
	readonly #action: string;

	/** @param action What cannot be done where a field is wrong: `"Cannot read a RobotResult"`. */
	constructor(action: string) {
		this.#action = action;
	}

	object(value: unknown, field: string): Fields {
		if (typeof value !== "object" || value === null || isList(value)) throw this.wrong(field, "an object", value);
		return value as Fields;
	}

	list<T>(value: unknown, field: string, item: ReadField<T>): readonly T[] {
		if (!isList(value)) throw this.wrong(field, "an array", value);
		// a hole is an entry, too
		return Array.from(value, (entry, index) => item(entry, `${field}[${index}]`));
	}

	string(value: unknown, field: string): string {
		if (typeof value !== "string") throw this.wrong(field, "a string", value);
		return value;
	}

	number(value: unknown, field: string): number {
		if (typeof value !== "number") throw this.wrong(field, "a number", value);
		return value;
	}

	optional<T>(value: unknown, field: string, read: ReadField<T>): T | undefined {
		return value === undefined || value === null ? undefined : read(value, field);
	}

	/** The error for a field that must be something else. */
	wrong(field: string, expected: string, value: unknown): ConfigurationError {
		return this.refused(`${field} must be ${expected}, got ${describeValue(value)}.`);
	}

	/** The error for what is wrong for another reason. */
	refused(reason: string): ConfigurationError {
		return new ConfigurationError(`${this.#action}: ${reason}`);
	}
}

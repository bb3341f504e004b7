import type { Message } from "../message/message.js";
import type { RobotResult } from "../message/robot-result.js";
import type { RobotResultRecord } from "../message/robot-result-record.js";

/** What a value becomes that is put into a memory: a frozen copy, and where it has a `toJSON`, what that answers. */
export type Remembered<T> = T extends { toJSON(): infer Answer }
	? Remembered<Answer>
	: T extends object
		? { readonly [Name in keyof T]: Remembered<T[Name]> }
		: T;

/** The keys that every memory has, and what they hold. `cache` is one more, which is no value: `memory.cache` is it. */
export interface ReservedValues {
	/** What is known while something runs. `{}` to begin with. */
	data: Readonly<Record<string, unknown>>;
	/** What robots came to, oldest first. They are read as JSON; `memory.results` has them as RobotResult. `[]` to begin with. */
	results: readonly (RobotResult | RobotResultRecord)[];
	/** What was said. `[]` to begin with. */
	messages: readonly Message[];
	/** Which conversation this is. Not there to begin with. */
	sessionId: string;
}

/** All that a memory holds, by key. */
export type MemoryValues<Values extends object> = Omit<Values, keyof ReservedValues> & ReservedValues;

export type MemoryKey<Values extends object> = keyof MemoryValues<Values> & string;

/** What there is to read below a key. */
export type MemoryValue<Values extends object, Key extends MemoryKey<Values>> = Remembered<MemoryValues<Values>[Key]>;

import { ConfigurationError } from "../errors/configuration-error.js";
import { Memory } from "../memory/memory.js";
import { describeValue } from "../text/describe-value.js";
import type { RunOptions } from "./run-options.js";

/** The memory of one run: another one in the robot's name, or the robot's own, with values set in it. */
export function memoryForRun(own: Memory, given: NonNullable<RunOptions["memory"]>): Memory {
	if (given instanceof Memory) return given.as(own.writer ?? "robot");
	if (!isRecord(given)) throw new ConfigurationError(`memory must be a Memory or values by their keys, got ${describeValue(given)}.`);
	own.merge(given);
	return own;
}

/** An instance of a class, as a Map is or a Memory of another copy of this package, has no entries of its own: nothing would be set, without a word. */
function isRecord(given: unknown): boolean {
	if (typeof given !== "object" || given === null) return false;
	const prototype: unknown = Object.getPrototypeOf(given);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

import { ConfigurationError } from "../errors/configuration-error.js";
import { Memory } from "../memory/memory.js";
import { describeValue } from "../text/describe-value.js";
import { isPlainRecord } from "../value/is-plain-record.js";
import type { RunOptions } from "./run-options.js";

/** Throws ConfigurationError for what is neither a memory nor values: of a Map, or a Memory of another copy of this package, nothing would be set, without a word. */
export function checkRunMemory(given: unknown): void {
	if (given instanceof Memory || isPlainRecord(given)) return;
	throw new ConfigurationError(`memory must be a Memory or values by their keys, got ${describeValue(given)}.`);
}

/**
 * The memory of one run: another one, or the robot's own, with values set in it.
 *
 * @param writer In whose name another one is written to. Default: the robot's.
 */
export function memoryForRun(own: Memory, given: NonNullable<RunOptions["memory"]>, writer: string | undefined): Memory {
	if (given instanceof Memory) return given.as(writer ?? own.writer ?? "robot");
	own.merge(given);
	return own;
}

import { ConfigurationError } from "./configuration-error.js";

/**
 * Why a network cannot be defined or run as asked:
 *
 * - `invalid_name`: a task's or group's name is no text, blank, holds control characters, or is a word with a meaning of its own.
 * - `duplicate_name`: a task or group of that name is there already.
 * - `unknown_task`: something names a task that the network does not have.
 * - `not_optional`: a task is activated that starts by itself.
 * - `left_out`: a task is activated that was left out already, or by a task that is over.
 * - `cycle`: tasks wait for each other.
 * - `no_tasks`: there is nothing to run.
 */
export type NetworkErrorCode = "invalid_name" | "duplicate_name" | "unknown_task" | "not_optional" | "left_out" | "cycle" | "no_tasks";

/** A network cannot be defined or run as asked. What its tasks fail with is no such error: it stands in the NetworkResult. */
export class NetworkError extends ConfigurationError {
	static override readonly typeName: string = "NetworkError";
	declare readonly code: NetworkErrorCode;

	/** The network. */
	readonly network: string;
	/** On `cycle`: the tasks in order, each waiting for the next, the first once more at the end. Empty otherwise. */
	readonly cycle: readonly string[];

	constructor(code: NetworkErrorCode, network: string, message: string, cycle: readonly string[] = []) {
		super(`The network "${network}": ${message}`, { code });
		this.network = network;
		this.cycle = Object.freeze([...cycle]);
	}
}

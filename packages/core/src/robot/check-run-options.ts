import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import type { RunOptions } from "./robot-options.js";

/** Throws ConfigurationError for what cannot be run, before anything of it is published. */
export function checkRunOptions(method: "run" | "stream", message: unknown, options: RunOptions): void {
	if (typeof message !== "string" || message.trim() === "") {
		const got = typeof message === "string" ? "an empty one" : typeof message;
		throw new ConfigurationError(`${method}() needs a message of text, got ${got}.`);
	}
	const { signal, parent } = options;
	if (signal !== undefined && !isSignal(signal)) {
		throw new ConfigurationError(`${method}() needs an AbortSignal as signal, got ${describeValue(signal)}.`);
	}
	if (method === "stream" && parent !== undefined) {
		throw new ConfigurationError(
			"stream() takes no parent: its log is that of a root run. Use run() beneath another run, and read the log of that one.",
		);
	}
}

/** By shape: it may come from another realm. */
const isSignal = (value: unknown): boolean =>
	typeof value === "object" &&
	value !== null &&
	"aborted" in value &&
	"addEventListener" in value &&
	typeof value.addEventListener === "function";

import { ConfigurationError } from "../errors/configuration-error.js";
import { guardedListener } from "../errors/guarded-listener.js";
import type { BoundedRunOptions, Enclosure, Gate } from "./bounded-run.js";

const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/** A run with every default applied. */
export interface RunPlan {
	readonly command: readonly string[];
	readonly cwd: string | undefined;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly stdin: string | undefined;
	readonly signal: AbortSignal | undefined;
	/** When the run is to end, on the clock of `performance.now()`. Counted from the call, so that waiting to start counts too. */
	readonly deadline: number | undefined;
	readonly maxOutputBytes: number;
	readonly separate: boolean;
	readonly killSurvivors: boolean;
	/** Whether there is anything that could ever end this run from outside. */
	readonly endable: boolean;
	readonly enclosure: Enclosure | undefined;
	readonly launcher: readonly string[];
	readonly fds: readonly (number | Gate | undefined)[];
	/** Never throw. */
	readonly onOutput: ((chunk: string, stream: "stdout" | "stderr") => void) | undefined;
	readonly onSpawn: ((pid: number) => void) | undefined;
}

/** Applies the defaults. Throws a ConfigurationError for a bound that is none. */
export function planRun(command: readonly string[], options: BoundedRunOptions): RunPlan {
	const { signal, timeoutMs, maxOutputBytes = DEFAULT_OUTPUT_BYTES, survivors = "leave", streams = "merged" } = options;
	if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs > 0)) {
		throw refusal("timeoutMs", timeoutMs, "a number of milliseconds greater than 0, or leave it out for no deadline");
	}
	if (!Number.isSafeInteger(maxOutputBytes) || maxOutputBytes < 0) {
		throw refusal("maxOutputBytes", maxOutputBytes, "a whole number of bytes, 0 or more");
	}
	if (survivors !== "leave" && survivors !== "kill") throw refusal("survivors", survivors, '"leave" or "kill"');
	if (streams !== "merged" && streams !== "separate") throw refusal("streams", streams, '"merged" or "separate"');
	return {
		command,
		cwd: options.cwd,
		env: options.env ?? process.env,
		stdin: options.stdin,
		signal,
		deadline: timeoutMs === undefined ? undefined : performance.now() + timeoutMs,
		maxOutputBytes,
		separate: streams === "separate",
		killSurvivors: survivors === "kill" || options.enclosure !== undefined,
		endable: signal !== undefined || timeoutMs !== undefined || survivors === "kill",
		enclosure: options.enclosure,
		launcher: options.launcher ?? [],
		fds: options.fds ?? [],
		onOutput: options.onOutput && guardedListener(options.onOutput),
		onSpawn: options.onSpawn && guardedListener(options.onSpawn),
	};
}

function refusal(option: string, value: unknown, wanted: string): ConfigurationError {
	const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
	return new ConfigurationError(`Cannot run a command with ${option} ${shown}: give ${wanted}.`);
}

/** What keeps everything together that a command starts, such as a PID namespace: all of it dies as soon as the leader is killed. */
export interface Enclosure {
	/** Asks what runs inside to end, as SIGTERM does. Must not throw. */
	readonly terminate: () => void;
	/** Settles when nothing inside lives any more. Called once the leader has ended or been killed; must not reject. */
	readonly emptied: () => Promise<void>;
}

/**
 * Lets a child go on, or not: called when it writes to the descriptor that the gate is given as. The child reads what is returned, and
 * then that the channel is closed. Must not throw.
 */
export type Gate = () => string;

/** What to run and within which bounds. One options object; every default is applied in `runBounded`. */
export interface BoundedRunOptions {
	/** Working directory. Default: the host process's. */
	readonly cwd?: string;
	/** The child's whole environment. Default: the host process's. */
	readonly env?: Readonly<Record<string, string | undefined>>;
	/** Text for standard input. Default: standard input is closed (`/dev/null`). */
	readonly stdin?: string;
	/** Ends the run and everything it started. */
	readonly signal?: AbortSignal;
	/** Deadline in milliseconds, counted from the call: any positive number. Default: none. */
	readonly timeoutMs?: number;
	/** Bytes of output kept per stream, a quarter from the head and the rest from the tail. Default 1 MiB. */
	readonly maxOutputBytes?: number;
	/** `merged` (default): both streams in the order written. `separate`: two buffers. */
	readonly streams?: "merged" | "separate";
	/**
	 * What becomes of processes the command left behind when it ends by itself. `leave` (default) lets them live but never
	 * waits for them; `kill` ends them before the run settles. A deadline or an abort always kills them.
	 */
	readonly survivors?: "leave" | "kill";
	/**
	 * Given when the leader's death takes all with it that the command has started. Nothing is marked, followed or searched for then, and
	 * whatever `survivors` says nothing survives. Default: none, and what the command starts has to be found.
	 */
	readonly enclosure?: Enclosure;
	/**
	 * Argument vector put before the command: a program that does something to itself, such as setting limits, and then becomes the command.
	 * What is missing of the command is found out before it is started. Default: none.
	 */
	readonly launcher?: readonly string[];
	/**
	 * Extra file descriptors for the child: the host's descriptor at index i becomes 3 + i, a gate becomes a channel to it, and at a gap
	 * nothing is done. Default: none.
	 */
	readonly fds?: readonly (number | Gate | undefined)[];
	/** Decoded output while the command runs. What it throws is ignored. */
	readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
	/** Called once the process exists. What it throws is ignored. */
	readonly onSpawn?: (pid: number) => void;
}

/** What became of a bounded run. A command that could not be started is a value too: `spawnError` is set and nothing ran. */
export interface BoundedRunResult {
	/** Merged output, or stdout's when the streams are separate. Decoded once, invalid UTF-8 replaced, a cut named in the text. */
	readonly output: string;
	/** stderr's output when the streams are separate, else empty. */
	readonly errorOutput: string;
	readonly exitCode: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly timedOut: boolean;
	readonly aborted: boolean;
	readonly truncatedBytes: number;
	readonly durationMs: number;
	/** How many processes other than the leader had to be killed. */
	readonly survivorsKilled: number;
	/** Set when the command could not be started (`ENOENT`, `EACCES`, `E2BIG`, …). */
	readonly spawnError?: { readonly code: string; readonly message: string };
}

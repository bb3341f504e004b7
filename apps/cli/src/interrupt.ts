import { EXIT } from "./exit.js";

const SIGNALS = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;

/** Longer than the half second in which a run that was aborted ends everything it started. */
const GRACE_MS = 3_000;

/** One press of Ctrl-C may come twice: from the terminal, and from an npm that hands it on. */
const SAME_PRESS_MS = 300;

/** What ends a command early. */
export interface Interrupt {
	readonly signal: AbortSignal;
	/** The exit code the interruption asks for; `undefined` while there was none. */
	readonly exitCode: number | undefined;
	/** Whether somebody still reads what is written to standard output. */
	readonly isRead: boolean;
}

/**
 * Turns signals and a closed output into an abort, so that the command can end what it started before it ends itself. A second signal
 * ends the process at once.
 * A reader that had enough (`| head -1`) is no failure: the exit code is 0 then and nothing is said. Any other output that cannot
 * be written (a full disk) is told to `onBrokenOutput` and ends with 1.
 */
export function listenForInterrupts(onBrokenOutput: (error: Error) => void): Interrupt {
	const controller = new AbortController();
	let exitCode: number | undefined;
	let isRead = true;
	let interruptedAt = 0;
	const interrupt = (code: number): void => {
		if (exitCode !== undefined) return;
		exitCode = code;
		interruptedAt = performance.now();
		// A write may turn out to have failed only after the command is over.
		process.exitCode = code;
		controller.abort();
		setTimeout(() => process.exit(code), GRACE_MS).unref();
	};
	for (const [name, code] of Object.entries(SIGNALS)) {
		process.on(name, () => {
			if (exitCode !== undefined && performance.now() - interruptedAt > SAME_PRESS_MS) process.exit(exitCode);
			interrupt(code);
		});
	}
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		// Every further write fails, too: what is told of the first would fail, and be told of, without end.
		if (!isRead) return;
		isRead = false;
		if (error.code !== "EPIPE") onBrokenOutput(error);
		interrupt(error.code === "EPIPE" ? EXIT.done : EXIT.failed);
	});
	// Nobody is left to tell; the command goes on with its work.
	process.stderr.on("error", () => {});
	return {
		signal: controller.signal,
		get exitCode() {
			return exitCode;
		},
		get isRead() {
			return isRead;
		},
	};
}

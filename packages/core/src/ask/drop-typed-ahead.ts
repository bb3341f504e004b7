import type { Readable } from "node:stream";
import { onAbort } from "../process/on-abort.js";

/** How long nothing must come. What is pasted comes in pieces, and nobody has read a question so fast. */
const QUIET_MS = 150;

const CTRL_C = 3;

/** What of a terminal counts here. */
interface Keyboard {
	readonly isTTY?: boolean;
	readonly isRaw?: boolean;
	setRawMode?(isRaw: boolean): unknown;
}

/**
 * Throws away what was typed at a terminal until now, until nothing comes for a moment or the signal is aborted; an unfinished line, too, which
 * is why the terminal gives its keys one by one meanwhile. Resolves with whether there was anything. Does nothing with a stream that is no terminal.
 */
export function dropTypedAhead(input: Readable & Keyboard, signal: AbortSignal): Promise<boolean> {
	if (input.isTTY !== true || signal.aborted || input.readableEnded || input.destroyed) return Promise.resolve(false);
	const wasRaw = input.isRaw === true;
	const isShared = input.readableFlowing === true;
	return new Promise((resolve) => {
		let hasDropped = false;
		let isInterrupted = false;
		const read = (): void => {
			for (let chunk: unknown = input.read(); chunk !== null; chunk = input.read()) {
				hasDropped = true;
				const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
				isInterrupted ||= !wasRaw && bytes.includes(CTRL_C);
				quiet.refresh();
			}
		};
		const leave = (): void => {
			clearTimeout(quiet);
			stopHeeding();
			input.off("readable", read).off("end", leave).off("close", leave).off("error", leave);
			if (!wasRaw) input.setRawMode?.(false);
			// as after a line: a stream cannot be paused before the next tick
			process.nextTick(() => {
				if (!isShared && input.listenerCount("readable") === 0) input.pause();
				resolve(hasDropped);
			});
			// the key reached this process as a key, and not all of those at the terminal as a signal
			if (isInterrupted) process.kill(process.pid, "SIGINT");
		};
		const quiet = setTimeout(leave, QUIET_MS);
		const stopHeeding = onAbort(signal, leave);
		if (!wasRaw) input.setRawMode?.(true);
		input.on("readable", read).on("end", leave).on("close", leave).on("error", leave);
		read();
	});
}

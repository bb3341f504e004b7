import type { Writable } from "node:stream";
import { endWithHost } from "./active-runs.js";
import { type Channels, closeChannels, closeChildEnds, openChannels } from "./channels.js";
import { markingFor } from "./marking.js";
import { PipeReaders } from "./pipe-readers.js";
import { planRun, type RunPlan } from "./run-plan.js";
import { explainedFailure, foreseenFailure, type SpawnFailure } from "./spawn-failure.js";
import { type StartedCommand, startCommand } from "./start-command.js";
import { type Ending, supervise, within } from "./supervise.js";

/** How long a program may take to end by itself once its input has ended. */
const INPUT_END_GRACE_MS = 250;
/** What is waiting to be read by a program that does not read. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** What a program that stays is started with. */
export interface ResidentOptions {
	/** Default: the host process's. */
	readonly cwd?: string | undefined;
	/** The program's whole environment. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Gets what it writes to standard output, in bytes that are valid only during the call. Must not throw. */
	readonly onOutput: (bytes: Uint8Array) => void;
	/** The same for standard error. */
	readonly onErrorOutput: (bytes: Uint8Array) => void;
}

/** A program that stays, spoken to through its standard input. It keeps no process alive, and does not outlive this one. */
export interface Resident {
	readonly pid: number;
	/** Resolves when the program, or the pipe to it, has taken the text. Rejects when it no longer can, or leaves too much unread. */
	readonly write: (text: string) => Promise<void>;
	/** Settles when it has ended, for whatever reason, and everything it started has been ended too. */
	readonly ended: Promise<Ending>;
	/** Ends its input, and a moment later itself and everything it started. Settles as {@link ended} does. */
	readonly end: () => Promise<void>;
}

/**
 * Starts a program that stays until it is ended, under the rules of `runBounded`: a group and a session of its own, marked and followed,
 * killed with all it started when it ends, is ended, or when this process exits or is asked to by a signal. Never rejects.
 */
export async function startResident(command: readonly string[], options: ResidentOptions): Promise<Resident | SpawnFailure> {
	const stop = new AbortController();
	const plan = planRun(command, {
		env: options.env,
		signal: stop.signal,
		streams: "separate",
		survivors: "kill",
		...(options.cwd !== undefined && { cwd: options.cwd }),
	});
	const foreseen = foreseenFailure(plan);
	if (foreseen !== undefined) return foreseen;
	let channels: Channels | undefined;
	try {
		channels = { ...(await openChannels(plan)), input: "pipe" };
		const started = await startCommand(plan, channels, await markingFor(plan));
		if (!("code" in started)) return reside(started, channels, plan, options, stop);
		closeChannels(channels);
		return started;
	} catch (error) {
		if (channels !== undefined) closeChannels(channels);
		return explainedFailure(error, plan);
	}
}

function reside(started: StartedCommand, channels: Channels, plan: RunPlan, options: ResidentOptions, stop: AbortController): Resident {
	closeChildEnds(channels);
	const { child, tree } = started;
	const isOver = endWithHost(tree);
	const output = new ResidentOutput(channels, options);
	const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
	const ended = supervise(started, output, plan).finally(() => {
		isOver();
		output.close();
		child.stdin?.destroy();
	});
	child.unref();
	const stdin = child.stdin as Writable & { unref(): void };
	stdin.unref();
	// What cannot be written is told to whoever writes.
	stdin.on("error", () => {});
	return {
		pid: tree.leader.pid,
		write: (text) => write(stdin, text),
		ended,
		end: async () => {
			stdin.end();
			await within(INPUT_END_GRACE_MS, exited);
			stop.abort();
			await ended;
		},
	};
}

function write(stdin: Writable, text: string): Promise<void> {
	if (stdin.writableLength > MAX_UNREAD_BYTES) return Promise.reject(new Error("the program does not read what it is sent"));
	return new Promise((resolve, reject) => stdin.write(text, (error) => (error ? reject(error) : resolve())));
}

/** The two output streams of a program that stays: read as they come, kept by nobody here. */
class ResidentOutput extends PipeReaders {
	constructor(channels: Channels, { onOutput, onErrorOutput }: ResidentOptions) {
		const sinks = [onOutput, onErrorOutput];
		super(channels, (bytes, index) => sinks[index]?.(bytes));
		for (const reader of this.readers) reader.unref();
	}

	close(): void {
		for (const reader of this.readers) reader.close();
	}
}

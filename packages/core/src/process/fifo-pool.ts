import { spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Both ends of a pipe that has no name any more. Whoever takes it closes both. */
export interface Fifo {
	readonly readFd: number;
	readonly writeFd: number;
}

interface Waiter {
	readonly resolve: (fifo: Fifo) => void;
	readonly reject: (error: Error) => void;
}

const LOW_WATER = 4;
const SMALLEST_BATCH = 32;
const LARGEST_BATCH = 64;

const ready: Fifo[] = [];
const waiting: Waiter[] = [];
let refilling = false;

/**
 * A FIFO for a child's output.
 *
 * Node's own "pipe" is a socket pair, and Linux refuses to open a socket through `/dev/stdout` or `/dev/stderr` (ENXIO), which
 * scripts do often. Node cannot make a pipe, so one `mkfifo` makes many; each is opened at both ends and its name removed at
 * once, so that nothing lies on the disk between runs and the end of the file comes when the last holder is gone.
 */
export function takeFifo(): Promise<Fifo> {
	const fifo = ready.pop();
	if (ready.length < LOW_WATER) queueMicrotask(refill);
	if (fifo !== undefined) return Promise.resolve(fifo);
	return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}

function refill(): void {
	if (refilling || ready.length - waiting.length >= LOW_WATER) return;
	refilling = true;
	makeFifos(Math.min(LARGEST_BATCH, waiting.length + SMALLEST_BATCH)).then(
		(fifos) => {
			refilling = false;
			ready.push(...fifos);
			while (waiting.length > 0 && ready.length > 0) waiting.shift()?.resolve(ready.pop() as Fifo);
			if (waiting.length > 0) refill();
		},
		(error: Error) => {
			refilling = false;
			for (const waiter of waiting.splice(0)) waiter.reject(error);
		},
	);
}

async function makeFifos(count: number): Promise<Fifo[]> {
	const directory = mkdtempSync(join(tmpdir(), "robot-lab-"));
	const remove = (): void => rmSync(directory, { recursive: true, force: true });
	process.once("exit", remove);
	try {
		const names = Array.from({ length: count }, (_, index) => join(directory, String(index)));
		await mkfifo(names);
		return openAll(names);
	} finally {
		process.removeListener("exit", remove);
		remove();
	}
}

function mkfifo(names: readonly string[]): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn("mkfifo", ["-m", "600", ...names], { stdio: "ignore" });
		child.once("error", reject);
		child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`mkfifo ended with exit code ${code}`))));
	});
}

function openAll(names: readonly string[]): Fifo[] {
	const fifos: Fifo[] = [];
	try {
		for (const name of names) fifos.push(openBothEnds(name));
	} catch (error) {
		// Too many open files: a few pipes are better than none.
		if (fifos.length === 0) throw error;
	}
	return fifos;
}

function openBothEnds(name: string): Fifo {
	// The reader comes first and does not wait for a writer; the writer then finds a reader and does not wait either.
	const readFd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
	try {
		return { readFd, writeFd: openSync(name, constants.O_WRONLY) };
	} catch (error) {
		closeSync(readFd);
		throw error;
	}
}

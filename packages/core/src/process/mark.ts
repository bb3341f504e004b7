import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { hardLimits, hasProcFiles } from "./proc-files.js";
import type { KnownProcess } from "./process-table.js";

const LIMIT_NAME = "Max resident set";
const LOWEST_MARK = 2 ** 50;
// Some programs count in KiB.
const UNIT = 1024;
const SPREAD = 2 ** 48 - 1;

/**
 * A number that everything a run starts inherits.
 *
 * It is a hard limit of the resident set, which Linux stores and passes on and has ignored since 2.4.30. It goes where a variable
 * does not: an emptied environment, a new session, closed descriptors and a change of user leave it, only a privileged process can
 * raise it, every process can read it, and no other program uses a value of a petabyte and some bytes. What sets its own
 * limit of the resident set loses it.
 */
export type Mark = number;

/** A new mark, or `undefined` where this process's own limit leaves no room for one. */
export function newMark(): Mark | undefined {
	const own = Number(ownLimit ?? Number.NaN);
	// A run inside a marked run must be marked lower, for a limit can only be lowered.
	const room = Math.floor((Number.isNaN(own) ? SPREAD : Math.min(SPREAD, own - LOWEST_MARK)) / UNIT);
	return room > 1 ? LOWEST_MARK + UNIT * randomInt(room) : undefined;
}

/** Whether the process carries the mark. */
export function hasMark(process: KnownProcess, mark: Mark): boolean {
	return process.hardLimit(LIMIT_NAME) === String(mark);
}

/** Whether the process may have carried the mark, as far as it could be read. */
export function mayHaveMark(process: KnownProcess, mark: Mark | undefined): boolean {
	const limit = process.hardLimit(LIMIT_NAME);
	return mark === undefined || limit === undefined || limit === String(mark);
}

/** The argument vector that marks itself and becomes `command`: same process, same environment, same descriptors. */
export function marking(launcher: string, mark: Mark, command: readonly string[]): readonly string[] {
	return [launcher, `--rss=${mark}`, "--", ...command];
}

/** The program that marks, or `undefined` where there is none that works. Tried once per process. */
export function markLauncher(): Promise<string | undefined> {
	launcher ??= findLauncher();
	return launcher;
}

const ownLimit: string | undefined = hasProcFiles ? hardLimits("self").get(LIMIT_NAME) : undefined;
let launcher: Promise<string | undefined> | undefined;

async function findLauncher(): Promise<string | undefined> {
	const path = hasProcFiles ? ["/usr/bin/prlimit", "/bin/prlimit"].find((candidate) => existsSync(candidate)) : undefined;
	const mark = newMark();
	if (path === undefined || mark === undefined) return undefined;
	return (await works(marking(path, mark, [path, "--version"]))) ? path : undefined;
}

function works([file = "", ...args]: readonly string[]): Promise<boolean> {
	return new Promise((resolve) => {
		const child = spawn(file, args, { stdio: "ignore" });
		child.once("error", () => resolve(false));
		child.once("exit", (code) => resolve(code === 0));
	});
}

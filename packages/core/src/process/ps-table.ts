import { readFromProgram, readFromProgramNow } from "./host-program.js";
import type { ProcessEntry } from "./process-entry.js";

const PS = ["ps", "-axo", "pid=,ppid=,pgid=,stat=,lstart="] as const;
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/;

/**
 * The process table as `ps` prints it, for systems without `/proc`; `undefined` where `ps` fails or takes longer than that. Times of start
 * are whole seconds.
 */
export async function readPsTable(boundMs: number): Promise<ProcessEntry[] | undefined> {
	return (await readFromProgram(PS, boundMs))?.split("\n").flatMap(parsePsLine);
}

/** The same for a process that is about to end and can wait for nothing: its thread stands still meanwhile. */
export function readPsTableNow(boundMs: number): ProcessEntry[] | undefined {
	return readFromProgramNow(PS, boundMs)?.split("\n").flatMap(parsePsLine);
}

/** One line of that table; a line that is none gives nothing. */
export function parsePsLine(line: string): ProcessEntry[] {
	const [, pid, parent, group, state, start] = LINE.exec(line) ?? [];
	if (state === undefined || start === undefined) return [];
	// ps prints no session that could be compared on every system; a session's leader leads a group of the same number.
	return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group), start, alive: !state.startsWith("Z") }];
}

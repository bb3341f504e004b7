import { readFromProgram } from "./host-program.js";
import type { ProcessEntry } from "./process-entry.js";

const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/;
const PS_BOUND_MS = 2000;

/** The process table as `ps` prints it, for systems without `/proc`; `undefined` where `ps` fails. Times of start are whole seconds. */
export async function readPsTable(): Promise<ProcessEntry[] | undefined> {
	const table = await readFromProgram(["ps", "-axo", "pid=,ppid=,pgid=,stat=,lstart="], PS_BOUND_MS);
	return table?.split("\n").flatMap(parsePsLine);
}

/** One line of that table; a line that is none gives nothing. */
export function parsePsLine(line: string): ProcessEntry[] {
	const [, pid, parent, group, state, start] = LINE.exec(line) ?? [];
	if (state === undefined || start === undefined) return [];
	// ps prints no session that could be compared on every system; a session's leader leads a group of the same number.
	return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group), start, alive: !state.startsWith("Z") }];
}

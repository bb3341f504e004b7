import type { ScriptResult } from "@robot-lab/core";
import { describe, expect, it } from "vitest";
import { limitNote } from "../../src/limits/limit-note.js";

const ENDED: ScriptResult = {
	output: "",
	exitCode: 1,
	signal: null,
	timedOut: false,
	aborted: false,
	truncatedBytes: 0,
	durationMs: 1,
	confinement: "none",
};
const bySignal = (signal: string): ScriptResult => ({ ...ENDED, exitCode: null, signal });
const saying = (output: string): ScriptResult => ({ ...ENDED, output });
const ALL = { memoryMb: 64, processes: 8, fileSizeMb: 2, cpuSeconds: 5, outputBytes: 100 };

describe("limitNote()", () => {
	it.each([
		["SIGXCPU", "The script reached limits.cpuSeconds (5)."],
		["SIGXFSZ", "The script reached limits.fileSizeMb (2)."],
	])("names the limit that %s tells of", (signal, note) => {
		expect(limitNote(bySignal(signal), ALL)).toBe(note);
	});

	it.each([
		["MemoryError", "memoryMb (64)"],
		["bash: xmalloc: cannot allocate 4096 bytes", "memoryMb (64)"],
		["Out of memory!", "memoryMb (64)"],
		["libc.so.6: failed to map segment from shared object", "memoryMb (64)"],
		["bash: fork: retry: Resource temporarily unavailable", "processes (8)"],
		["sh: 1: Cannot fork", "processes (8)"],
		["RuntimeError: can't start new thread", "processes (8)"],
		["dd: error writing 'x': File too large", "fileSizeMb (2)"],
		["EFBIG: file too large, write", "fileSizeMb (2)"],
		["CPU time limit exceeded", "cpuSeconds (5)"],
	])("takes %j for a possible sign of a limit, and for nothing where that one is not set", (output, name) => {
		expect(limitNote(saying(output), ALL)).toBe(`The script may have reached limits.${name}.`);
		const { [name.split(" ")[0] as keyof typeof ALL]: _, ...others } = ALL;
		expect(limitNote(saying(output), others)).toBeUndefined();
		expect(limitNote({ ...saying(output), exitCode: 0 }, ALL)).toBeUndefined();
	});

	it("takes the exit codes of a shell whose program was ended by such a signal for a possible sign", () => {
		expect(limitNote({ ...ENDED, exitCode: 152 }, ALL)).toBe("The script may have reached limits.cpuSeconds (5).");
		expect(limitNote({ ...ENDED, exitCode: 153 }, ALL)).toBe("The script may have reached limits.fileSizeMb (2).");
		expect(limitNote({ ...ENDED, exitCode: 139 }, ALL)).toBe("The script may have reached limits.memoryMb (64).");
	});

	it("names every limit that may be meant", () => {
		expect(limitNote(bySignal("SIGKILL"), ALL)).toBe("The script may have reached limits.memoryMb (64) or limits.cpuSeconds (5).");
	});

	it("says nothing of runs that ended otherwise, and nothing without a limit", () => {
		expect(limitNote({ ...bySignal("SIGKILL"), timedOut: true }, ALL)).toBeUndefined();
		expect(limitNote({ ...bySignal("SIGKILL"), aborted: true }, ALL)).toBeUndefined();
		expect(limitNote({ ...saying("MemoryError"), refusal: { code: "x", message: "y" } }, ALL)).toBeUndefined();
		expect(limitNote(saying("no such thing"), ALL)).toBeUndefined();
		for (const signal of ["SIGXCPU", "SIGXFSZ", "SIGKILL", "SIGSEGV"])
			expect(limitNote(bySignal(signal), { outputBytes: 1 })).toBeUndefined();
	});
});

import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasProgram } from "../../src/process/host-program.js";

/** Whether marks, variables and pipes of other processes can be read here. */
export const onLinux: boolean = process.platform === "linux";

/** What starts a program in a session of its own, where there is no program of that name: python3 or perl, which macOS has. */
const SETSID = {
	python3: "import os, sys\nos.getpgrp() == os.getpid() and os.fork() and os._exit(0)\nos.setsid()\nos.execvp(sys.argv[1], sys.argv[1:])",
	perl: "use POSIX; getpgrp() == $$ and fork() and exit; POSIX::setsid(); exec { $ARGV[0] } @ARGV",
};

/** A directory with a `setsid` in it, `undefined` where the system has its own or nothing to make one of. */
const ownSetsid: string | undefined = hasProgram("setsid") ? undefined : makeSetsid();

function makeSetsid(): string | undefined {
	// perl first: it starts in a tenth of python's time, and what flees must have fled before it is looked at.
	const [perl, python] = [pathOf("perl"), pathOf("python3")];
	if (perl === undefined && python === undefined) return undefined;
	const directory = mkdtempSync(join(tmpdir(), "setsid-"));
	process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
	const command = perl === undefined ? `'${python}' -c '${SETSID.python3}'` : `'${perl}' -e '${SETSID.perl}' --`;
	writeFileSync(join(directory, "setsid"), `#!/bin/sh\nexec ${command} "$@"\n`);
	chmodSync(join(directory, "setsid"), 0o755);
	return directory;
}

function pathOf(program: string): string | undefined {
	const { status, stdout } = spawnSync("/bin/sh", ["-c", `command -v ${program}`], { encoding: "utf8" });
	return status === 0 ? stdout.trim() : undefined;
}

// For every script of these tests.
if (ownSetsid !== undefined) process.env.PATH = `${ownSetsid}${delimiter}${process.env.PATH}`;

const lists = (): string[] => spawnSync("ps", ["-axww", "-o", "pid=,stat=,command="], { encoding: "utf8" }).stdout?.split("\n") ?? [];

/** Whether there is a `setsid` to flee with and a way of seeing who is alive. Elsewhere tests that need both are skipped. */
export const canLookForSurvivors: boolean = hasProgram("setsid") && (onLinux || lists().length > 1);

/** A number of seconds nobody else sleeps. A process that sleeps it is ours, whatever it did to its environment. */
export function uniqueSleep(): string {
	return `${randomInt(3000, 9000)}.${String(randomInt(1_000_000, 9_999_999))}`;
}

/** The pids of processes, not merely waited for, whose command line holds that text. */
export function living(text: string): number[] {
	return onLinux ? livingInProc(text) : livingInPs(text);
}

function livingInProc(text: string): number[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => pid > 0 && pid !== process.pid && isAlive(pid) && readOr(`/proc/${pid}/cmdline`).includes(text));
}

function livingInPs(text: string): number[] {
	return lists()
		.map((line) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [])
		.filter(([, pid, state, command]) => Number(pid) !== process.pid && !state?.startsWith("Z") && command?.includes(text))
		.map(([, pid]) => Number(pid));
}

/** Waits until processes with that text are as many as wanted, five seconds at most. */
export async function untilLiving(text: string, count: number): Promise<number[]> {
	const until = performance.now() + 5000;
	while (living(text).length !== count && performance.now() < until) await delay(5);
	return living(text);
}

/** Ends what a test left behind on purpose. */
export function endLiving(text: string): void {
	for (const pid of living(text)) process.kill(pid, "SIGKILL");
}

function isAlive(pid: number): boolean {
	const stat = readOr(`/proc/${pid}/stat`);
	return stat !== "" && !["Z", "X"].includes(stat.charAt(stat.lastIndexOf(")") + 2));
}

function readOr(path: string): string {
	try {
		return readFileSync(path, "latin1");
	} catch {
		return "";
	}
}

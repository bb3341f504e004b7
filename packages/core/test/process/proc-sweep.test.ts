import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { takeFifo } from "../../src/process/fifo-pool.js";
import { follow, Lineage, look, unfollow } from "../../src/process/lineage.js";
import { marking, markLauncher, newMark } from "../../src/process/mark.js";
import { descriptorTarget, readEntry, signalProcess } from "../../src/process/proc-files.js";
import { ProcSweep } from "../../src/process/proc-sweep.js";
import type { ProcessEntry } from "../../src/process/process-entry.js";
import { type ProcessTree, RUN_ID_VARIABLE } from "../../src/process/tree.js";
import { endLiving, living, onLinux, uniqueSleep, untilLiving } from "./living.js";

const markers: string[] = [];
function marker(): string {
	const text = uniqueSleep();
	markers.push(text);
	return text;
}
afterEach(() => {
	for (const text of markers.splice(0)) endLiving(text);
});

const START: readonly string[] = ["bash", "-c"];

/** A tree of which nothing is known but what `known` says: the leader's group is long gone. */
function treeWith(leader: ProcessEntry, known: Partial<ProcessTree> = {}): ProcessTree {
	return { leader, runId: "no such run", mark: undefined, pipes: [], lineage: new Lineage(leader), ...known };
}

function start([file = "", ...args]: readonly string[], options: { env?: NodeJS.ProcessEnv; out?: number } = {}) {
	const child: ChildProcess = spawn(file, args, {
		detached: true,
		stdio: ["ignore", options.out ?? "ignore", "ignore"],
		...(options.env ? { env: options.env } : {}),
	});
	const leader = readEntry(child.pid as number) as ProcessEntry;
	return { child, leader };
}

/** Waits until the leader is gone and its sleeper alone is left. */
async function orphaned(text: string, leader: ProcessEntry): Promise<void> {
	for (let waited = 0; readEntry(leader.pid) !== undefined && waited < 5000; waited += 10) await delay(10);
	expect(await untilLiving(text, 1)).toHaveLength(1);
	expect(readEntry(leader.pid)).toBeUndefined();
}

/** A script that starts a sleeper, which it leaves orphaned in a session of its own. */
const orphan = (text: string): string => `(exec setsid sleep ${text}) & sleep 0.05`;

/** The number of the system call that ends one thread. */
const EXIT_OF_A_THREAD = { x64: 60, arm64: 93 }[process.arch as string];

function statOf(pid: number): string[] {
	const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

const stateOf = (pid: number): string | undefined => statOf(pid)[0];

function threadsOf(pid: number): number {
	try {
		return Number(statOf(pid)[17]);
	} catch {
		return 0;
	}
}

describe.skipIf(!onLinux)("ProcSweep finds a process in a session of its own, orphaned,", () => {
	it("not when it knows nothing of it: what follows is not found by chance", async () => {
		const text = marker();
		const { leader } = start([...START, orphan(text)]);
		await orphaned(text, leader);
		await new ProcSweep(treeWith(leader)).end(performance.now() + 1000);
		expect(living(text)).toHaveLength(1);
	});

	it("by its mark, whatever became of its environment and its descriptors", async () => {
		const launcher = await markLauncher();
		const mark = newMark();
		if (launcher === undefined || mark === undefined) throw new Error("this system has no prlimit that works");
		const text = marker();
		const { leader } = start(marking(launcher, mark, [...START, orphan(text).replace("setsid", "env -i setsid")]));
		await orphaned(text, leader);
		const sweep = new ProcSweep(treeWith(leader, { mark }));
		await sweep.end(performance.now() + 1000);
		expect(living(text)).toEqual([]);
		expect(sweep.killed).toBe(1);
	});

	it("by the run's id in its environment", async () => {
		const text = marker();
		const { leader } = start([...START, orphan(text)], { env: { ...process.env, [RUN_ID_VARIABLE]: "outer/the-run/inner" } });
		await orphaned(text, leader);
		await new ProcSweep(treeWith(leader, { runId: "the-run" })).end(performance.now() + 1000);
		expect(living(text)).toEqual([]);
	});

	it("by the pipe it holds", async () => {
		const { readFd, writeFd } = await takeFifo();
		const text = marker();
		const { leader } = start([...START, orphan(text).replace("setsid", "env -i setsid")], { out: writeFd });
		await orphaned(text, leader);
		await new ProcSweep(treeWith(leader, { pipes: [descriptorTarget("self", readFd)] })).end(performance.now() + 1000);
		expect(living(text)).toEqual([]);
		closeSync(readFd);
		closeSync(writeFd);
	});

	it("by having seen it while its parent lived", async () => {
		const text = marker();
		const { leader } = start([...START, `(exec env -i setsid sleep ${text}) & sleep 0.5`]);
		const tree = treeWith(leader);
		follow(tree.lineage);
		await untilLiving(text, 2);
		await orphaned(text, leader);
		unfollow(tree.lineage);
		await new ProcSweep(tree).end(performance.now() + 1000);
		expect(living(text)).toEqual([]);
	});

	it("as the child of one that it found", async () => {
		const text = marker();
		const { leader } = start([...START, `env -i setsid bash -c 'setsid sleep ${text}; :' & wait`]);
		await untilLiving(text, 3);
		const sweep = new ProcSweep(treeWith(leader));
		await sweep.end(performance.now() + 1000);
		expect(living(text)).toEqual([]);
		expect(sweep.killed).toBe(2);
	});
});

describe.skipIf(!onLinux)("ProcSweep ends", () => {
	it.skipIf(EXIT_OF_A_THREAD === undefined)("a process whose first thread has ended while others run", async () => {
		const text = marker();
		// Python's own way would wait for the other threads.
		const threads = `import ctypes, threading, time
threading.Thread(target=time.sleep, args=(${text},)).start()
ctypes.CDLL(None).syscall(${EXIT_OF_A_THREAD}, 0)`;
		const { leader } = start(["python3", "-c", threads]);
		for (let waited = 0; stateOf(leader.pid) !== "Z" && waited < 5000; waited += 10) await delay(10);
		expect(stateOf(leader.pid)).toBe("Z");
		const sweep = new ProcSweep(treeWith(leader));
		await sweep.end(performance.now() + 5000);
		expect(threadsOf(leader.pid)).toBeLessThanOrEqual(1);
	});
});

describe.skipIf(!onLinux)("ProcSweep waits for nobody", () => {
	const asNobody = (when: string, command: readonly string[]): readonly [string, ...string[]] => [
		process.execPath,
		join(import.meta.dirname, "fixtures/dropped-root.mjs"),
		when,
		...command,
	];
	const run = ([file, ...args]: readonly [string, ...string[]]) => spawnSync(file, args, { encoding: "utf8", timeout: 20_000 });

	// Only root can become somebody else.
	it.skipIf(process.getuid?.() !== 0)("who is another user's and cannot be killed", async () => {
		const text = marker();
		expect(run(asNobody("before", ["sleep", text]))).toMatchObject({ status: 0, stdout: "ended, 0 killed\n" });
		expect(living(text)).toHaveLength(1);
	});

	const hiding = ["unshare", "--mount", "sh", "-c", 'mount -t proc -o hidepid=1 proc /proc && exec "$@"', "sh"] as const;
	// Mounting takes privileges that root in a container seldom has.
	it.skipIf(run([...hiding, "true"]).status !== 0)("of whom it may read nothing, where /proc hides the processes of others", async () => {
		const text = marker();
		const ended = new Promise<string>((resolve) => {
			const [file, ...args] = [...hiding, ...asNobody("after", ["sleep", "0.5"])] as const;
			const host = spawn(file, args, { stdio: ["ignore", "pipe", "ignore"], timeout: 20_000 });
			let printed = "";
			host.stdout.setEncoding("utf8").on("data", (chunk: string) => {
				printed += chunk;
			});
			host.once("close", () => resolve(printed));
		});
		let isOver = false;
		void ended.then(() => {
			isOver = true;
		});
		for (let count = 0; count < 300 && !isOver; count += 1) {
			start(["sleep", text]);
			await delay(50);
		}
		expect(await ended).toBe("ended, 0 killed\n");
	});
});

describe.skipIf(!onLinux)("ProcSweep spares", () => {
	it("a child that this process starts for something else, though it holds the pipe until it has become its program", async () => {
		const { readFd, writeFd } = await takeFifo();
		const [text, other] = [marker(), marker()];
		const { leader } = start(["sleep", text]);
		start(["sleep", other], { out: writeFd });
		await untilLiving(other, 1);
		await new ProcSweep(treeWith(leader, { pipes: [descriptorTarget("self", readFd)] })).end(performance.now() + 1000);
		expect(living(text)).toEqual([]);
		expect(living(other)).toHaveLength(1);
		closeSync(readFd);
		closeSync(writeFd);
	});

	it("what is older than the leader, though it has the same parent, variables and pipe", async () => {
		const { readFd, writeFd } = await takeFifo();
		const env = { ...process.env, [RUN_ID_VARIABLE]: "shared" };
		const [older, younger] = [marker(), marker()];
		start(["sleep", older], { env, out: writeFd });
		// Times of start are hundredths of a second.
		await delay(30);
		const { leader } = start(["sleep", younger], { env, out: writeFd });
		await untilLiving(younger, 1);
		await new ProcSweep(treeWith(leader, { runId: "shared", pipes: [descriptorTarget("self", readFd)] })).end(performance.now() + 1000);
		expect(living(younger)).toEqual([]);
		expect(living(older)).toHaveLength(1);
		closeSync(readFd);
		closeSync(writeFd);
	});

	it("the group of a process that got the leader's number", async () => {
		const text = marker();
		const { leader } = start(["sleep", text]);
		await untilLiving(text, 1);
		const before: ProcessEntry = { ...leader, start: String(Number(leader.start) - 1) };
		await new ProcSweep(treeWith(before)).end(performance.now() + 200);
		expect(living(text)).toHaveLength(1);
	});
});

describe.skipIf(!onLinux)("signalProcess()", () => {
	it("signals nobody whose number went to another process, nor number 1 or 0, nor this process", async () => {
		const text = marker();
		const { leader } = start(["sleep", text]);
		await untilLiving(text, 1);
		expect(signalProcess({ pid: leader.pid, start: "1" }, "SIGKILL")).toBe(false);
		for (const pid of [1, 0, -1, process.pid]) {
			expect(signalProcess({ pid, start: readEntry(pid)?.start ?? "" }, "SIGCONT")).toBe(false);
		}
		expect(living(text)).toHaveLength(1);
		expect(signalProcess(leader, "SIGKILL")).toBe(true);
		expect(await untilLiving(text, 0)).toEqual([]);
	});
});

describe.skipIf(!onLinux)("look()", () => {
	it("names each process once", async () => {
		look();
		const text = marker();
		const { leader } = start(["sleep", text]);
		expect(look().fresh.map(({ entry }) => entry.pid)).toContain(leader.pid);
		expect(look().fresh.map(({ entry }) => entry.pid)).not.toContain(leader.pid);
	});
});

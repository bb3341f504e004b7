import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Lineage } from "../../src/process/lineage.js";
import { PsSweep } from "../../src/process/ps-sweep.js";
import { parsePsLine, readPsTable } from "../../src/process/ps-table.js";
import { canLookForSurvivors, endLiving, living, uniqueSleep, untilLiving } from "./living.js";

const hasPs = spawnSync("ps", ["-axo", "pid="]).status === 0;
const markers: string[] = [];
function marker(): string {
	const text = uniqueSleep();
	markers.push(text);
	return text;
}
afterEach(() => {
	for (const text of markers.splice(0)) endLiving(text);
});

function startTree(script: string) {
	const child = spawn("bash", ["-c", script], { detached: true, stdio: "ignore" });
	const leader = { pid: child.pid as number, start: "" };
	return { child, tree: { leader, runId: "none", mark: undefined, pipes: [], lineage: new Lineage(leader) } };
}

describe("parsePsLine()", () => {
	it("reads a line with the time of start last", () => {
		expect(parsePsLine("  42     1    42 Ss   Tue Dec  1 05:24:11 2026")).toEqual([
			{ pid: 42, parent: 1, group: 42, session: 42, start: "Tue Dec  1 05:24:11 2026", alive: true },
		]);
		expect(parsePsLine("42 1 42 Z+ Tue Dec  1 05:24:11 2026")[0]?.alive).toBe(false);
	});

	it("gives nothing for anything else", () => {
		for (const line of ["", "PID PPID", "1 2 3 S", "a b c d e"]) expect(parsePsLine(line)).toEqual([]);
	});
});

describe.skipIf(!canLookForSurvivors || !hasPs)("PsSweep, the way for systems without /proc", () => {
	it("reads a table with this process and its parent in it", async () => {
		const own = (await readPsTable(5000))?.find(({ pid }) => pid === process.pid);
		expect(own).toMatchObject({ parent: process.ppid, alive: true });
	});

	it("ends the group and descendants that left it", async () => {
		const text = marker();
		const { child, tree } = startTree(`trap "" TERM; setsid sleep ${text} & sleep ${text} & setsid bash -c 'sleep ${text}; :' & wait`);
		const exited = once(child, "exit");
		await untilLiving(text, 5);
		const sweep = new PsSweep(tree);
		await sweep.end(performance.now() + 5000);
		await exited;
		expect(living(text)).toEqual([]);
		expect(sweep.killed).toBeGreaterThanOrEqual(3);
	});

	it("ends a descendant that was orphaned after it was seen", async () => {
		const text = marker();
		const { child, tree } = startTree(`setsid sleep ${text} & wait`);
		await untilLiving(text, 2);
		const sweep = new PsSweep(tree);
		await sweep.observe();
		child.kill("SIGKILL");
		await once(child, "exit");
		expect(living(text)).toHaveLength(1);
		await sweep.end(performance.now() + 5000);
		expect(living(text)).toEqual([]);
	});

	it("kills at once what it finds, without waiting for anything", async () => {
		const text = marker();
		const { tree } = startTree(`trap "" TERM; setsid sleep ${text} & sleep ${text} & wait`);
		await untilLiving(text, 3);
		const sweep = new PsSweep(tree);
		expect(sweep.killFound()).toBe(true);
		expect(await untilLiving(text, 0)).toEqual([]);
		expect(sweep.killed).toBe(2);
	});
});

describe("PsSweep", () => {
	const end = (path: string) => {
		const fixture = join(import.meta.dirname, "fixtures/no-listing-programs.mjs");
		// It is given a minute to end its tree in.
		return spawnSync(process.execPath, [fixture, path], { encoding: "utf8", timeout: 20_000 });
	};

	it("kills the group, waits for nothing and crashes nothing, where there is no program that lists processes", () => {
		expect(end("/nonexistent")).toMatchObject({ status: 0, stdout: "SIGKILL\n", stderr: "" });
	});

	it("does so too where that program fails, as in a sandbox", () => {
		const directory = mkdtempSync(join(tmpdir(), "failing-ps-"));
		for (const name of ["ps", "pgrep"]) writeFileSync(join(directory, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
		expect(end(directory)).toMatchObject({ status: 0, stdout: "SIGKILL\n", stderr: "" });
		rmSync(directory, { recursive: true });
	});
});

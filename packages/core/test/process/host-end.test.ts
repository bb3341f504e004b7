import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endLiving, onLinux, uniqueSleep, untilLiving } from "./living.js";

function startHost(way: string, marker: string) {
	const host = spawn(process.execPath, [join(import.meta.dirname, "fixtures/ends-early.mjs"), way], {
		stdio: ["ignore", "pipe", "ignore"],
		// Not an argument: a marker is looked for in command lines.
		env: { ...process.env, MARKER: marker },
	});
	return { host, ended: once(host, "exit") as Promise<[number | null, NodeJS.Signals | null]> };
}

describe.skipIf(!onLinux)("a host that ends before its run", () => {
	it.each([
		["exit", 7],
		["uncaught", 1],
	])("ends the run with it (%s)", async (way, code) => {
		const marker = uniqueSleep();
		expect((await startHost(way, marker).ended)[0]).toBe(code);
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("ends the run when %s ends it, and dies of that signal", async (signal) => {
		const marker = uniqueSleep();
		const { host, ended } = startHost("wait", marker);
		await once(host.stdout, "data");
		expect(await untilLiving(marker, 3)).toHaveLength(3);
		host.kill(signal);
		expect(await ended).toEqual([null, signal]);
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it("cannot do so when it is killed outright, which is why nothing else is promised", async () => {
		const marker = uniqueSleep();
		const { host, ended } = startHost("wait", marker);
		await once(host.stdout, "data");
		await untilLiving(marker, 3);
		host.kill("SIGKILL");
		await ended;
		expect((await untilLiving(marker, 3)).length).toBe(3);
		endLiving(marker);
	});
});

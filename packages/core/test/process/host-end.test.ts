import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { canLookForSurvivors, endLiving, uniqueSleep, untilLiving } from "./living.js";

interface Host {
	readonly host: ChildProcess;
	readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
	/** Everything it has printed so far. */
	readonly printed: () => string;
	/** Settles when it has printed that. */
	readonly prints: (text: string) => Promise<void>;
}

function startHost(fixture: string, args: readonly string[], marker: string): Host {
	const host = spawn(process.execPath, [join(import.meta.dirname, "fixtures", fixture), ...args], {
		stdio: ["ignore", "pipe", "ignore"],
		// Not an argument: a marker is looked for in command lines.
		env: { ...process.env, MARKER: marker },
	});
	let printed = "";
	host.stdout?.setEncoding("utf8").on("data", (text: string) => {
		printed += text;
	});
	const prints = async (text: string): Promise<void> => {
		while (!printed.includes(text) && host.exitCode === null && host.signalCode === null) await delay(10);
	};
	return { host, ended: once(host, "exit") as Promise<[number | null, NodeJS.Signals | null]>, printed: () => printed, prints };
}

describe.skipIf(!canLookForSurvivors)("a host that ends before its run", () => {
	it.each([
		["exit", 7],
		["uncaught", 1],
	])("ends the run with it (%s)", async (way, code) => {
		const marker = uniqueSleep();
		expect((await startHost("ends-early.mjs", [way], marker).ended)[0]).toBe(code);
		expect(await untilLiving(marker, 0)).toEqual([]);
	});

	it("cannot do so when it is killed outright, which is why nothing else is promised", async () => {
		const marker = uniqueSleep();
		const { host, ended, prints } = startHost("ends-early.mjs", ["wait"], marker);
		await prints("ready");
		await untilLiving(marker, 3);
		host.kill("SIGKILL");
		await ended;
		expect((await untilLiving(marker, 3)).length).toBe(3);
		endLiving(marker);
	});
});

/** What becomes of a host, and of its runs, when it gets the signal. */
async function fateOf(who: string, runs: string, signal: NodeJS.Signals): Promise<string> {
	const marker = uniqueSleep();
	const { host, ended, printed, prints } = startHost("company.mjs", [who, runs], marker);
	await prints("ready");
	const living = { none: 0, "of one copy": 3, "of two copies": 6 }[runs] ?? 0;
	expect(await untilLiving(marker, living)).toHaveLength(living);
	host.kill(signal);
	await Promise.race([ended, prints("went on")]);
	const fate = host.exitCode ?? host.signalCode ?? "goes on";
	expect(await untilLiving(marker, 0)).toEqual([]);
	if (fate === "goes on") {
		expect(printed()).toBe("ready\nwent on\n");
		host.kill("SIGKILL");
	}
	await ended;
	return fate === "goes on" ? fate : `ended with ${fate}`;
}

describe.skipIf(!canLookForSurvivors)("a signal that asks the host to stop ends the runs, and the host as it would without them:", () => {
	const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

	it.each(SIGNALS)("%s, with no other listener", async (signal) => {
		const fates = await Promise.all(["none", "of one copy"].map((runs) => fateOf("nobody", runs, signal)));
		expect(fates).toEqual(Array(2).fill(`ended with ${signal}`));
	});

	it.each(["SIGINT", "SIGTERM"] as const)("%s, with runs of two copies of the package", async (signal) => {
		expect(await fateOf("nobody", "of two copies", signal)).toBe(`ended with ${signal}`);
	});

	it.each([
		["signal-exit", "ended with SIGTERM"],
		["signal-exit after the run", "ended with SIGTERM"],
		["a listener that goes on", "goes on"],
		["a listener that exits later", "ended with 9"],
		["a listener that sends the signal again", "ended with SIGTERM"],
	])("with %s", async (who, fate) => {
		const fates = await Promise.all(["none", "of one copy", "of two copies"].map((runs) => fateOf(who, runs, "SIGTERM")));
		expect(fates).toEqual([fate, fate, fate]);
	});
});

it("a signal that comes in just as the last run ends is not lost", async () => {
	const { ended, printed } = startHost("signal-at-the-end.mjs", [], uniqueSleep());
	expect(await ended).toEqual([null, "SIGTERM"]);
	expect(printed()).toBe("");
});

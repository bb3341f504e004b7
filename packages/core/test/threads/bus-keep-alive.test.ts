import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

/** What a process has printed that ended by itself. */
async function printed(scene: string): Promise<string[]> {
	const { stdout } = await promisify(execFile)(process.execPath, ["--import", fixture("ts-source.mjs"), fixture("alive.ts"), scene], {
		timeout: 30_000,
	});
	return stdout.trim().split("\n");
}

it.each(["idleWorker", "idleChannel", "idleGuest"])(
	"a process ends that has a part in a bus of several threads and nothing to do: %s",
	async (scene) => {
		expect(await printed(scene)).toEqual(["end"]);
	},
);

it.each(["busyWorker", "busyChannel", "busyGuest"])("a process stays until its messages are settled: %s", async (scene) => {
	expect(await printed(scene)).toEqual(["acked", "end"]);
});

it("a process does not stay for a publish that was given up", async () => {
	expect(await printed("givenUp")).toEqual(["given up", "acked", "end"]);
	expect(await printed("givenUpBeforeItWasSaid")).toEqual(["given up", "end"]);
});

it("a thread ends that has only published when it has heard what became of it, and its process with it", async () => {
	expect(await printed("publisher")).toEqual(["told: acked", "end"]);
	expect(await printed("waitingPublisher")).toEqual(["told: acked", "end"]);
});

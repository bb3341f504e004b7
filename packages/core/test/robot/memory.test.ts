import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const DELTAS = 100_000;
/** Enough for a run and for Node itself, and far from what the events of so many deltas take up. */
const HEAP_MEGABYTES = 24;

function run(way: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
	const fixture = join(import.meta.dirname, "fixtures/many-deltas.mjs");
	return spawnSync(process.execPath, [`--max-old-space-size=${HEAP_MEGABYTES}`, fixture, way, String(DELTAS)], { encoding: "utf8" });
}

describe(`A run of ${DELTAS} deltas in a process with a heap of ${HEAP_MEGABYTES} MB`, () => {
	it.each([
		["nobody listens", 0],
		["three listeners", DELTAS],
		["never read until it is over", 0],
		["a reader that is slower", 0],
	])("has its whole text in the end, whoever watches: %s", (way, heard) => {
		const { status, stdout, stderr } = run(way);
		expect({ status, stderr, seen: JSON.parse(stdout || "{}") }).toEqual({
			status: 0,
			stderr: "",
			seen: { isWhole: true, isRead: true, heard },
		});
	});

	it("is the end of the process where a listener keeps every event: so small is that heap", () => {
		const { status, stdout, stderr } = run("a listener that keeps every event");
		expect({ status, stdout }).not.toMatchObject({ status: 0 });
		expect(stderr).toContain("heap out of memory");
	});
});

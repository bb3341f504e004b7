import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AwaitTimeoutError } from "../../src/errors/await-timeout-error.js";
import { InProcessBackend } from "../../src/memory/in-process-backend.js";
import { Memory } from "../../src/memory/memory.js";
import { settled } from "../stream/publishing.js";
import { collectGarbage } from "./collect-garbage.js";
import { FakeClock } from "./fake-clock.js";

/** A memory whose time is at a standstill. */
function standing(): { memory: Memory; clock: FakeClock } {
	const clock = new FakeClock();
	return { memory: new Memory({ clock }), clock };
}

/** What a promise has come to by now. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
	const state = promise.then((value) => ({ value }), (error: unknown) => ({ error })); // biome-ignore format: one line
	await settled();
	return Promise.race([state, "waits"]);
}

describe("Memory.waitFor() of one key", () => {
	it("resolves at once where there is a value, null included", async () => {
		const { memory, clock } = standing();
		memory.set("a", null);
		expect(await memory.waitFor("a", { timeoutMs: 0 })).toBeNull();
		expect(clock.pending).toBe(0);
	});

	it.each([[1], [null], [":timeout"], [false], [""]])("resolves with the value that comes: %j", async (value) => {
		const { memory, clock } = standing();
		const waited = memory.waitFor("a", { timeoutMs: 5 });
		expect(await stateOf(waited)).toBe("waits");
		memory.set("a", value);
		expect([await waited, clock.pending]).toEqual([value, 0]);
	});

	it("resolves with the value that came, although it is gone or another before anybody can look", async () => {
		const memory = new Memory();
		const waited = memory.waitFor("a");
		memory.set("a", 1);
		memory.set("a", 2);
		memory.delete("a");
		expect(await waited).toBe(1);
	});

	it("resolves for everybody who waits, and for one who listens as well", async () => {
		const memory = new Memory();
		const waited = Promise.all([memory.waitFor("a"), memory.waitFor("a"), memory.waitFor(["a"])]);
		memory.subscribe("b", ({ value }) => memory.set("a", value));
		memory.set("b", 3);
		expect(await waited).toEqual([3, 3, { a: 3 }]);
	});

	it("rejects when the time is up, and not before, naming what is missing", async () => {
		const { memory, clock } = standing();
		const waited = memory.waitFor("a", { timeoutMs: 30 });
		clock.advance(29);
		expect(await stateOf(waited)).toBe("waits");
		clock.advance(1);
		const { error } = (await stateOf(waited)) as { error: AwaitTimeoutError };
		expect(AwaitTimeoutError.isInstance(error)).toBe(true);
		expect(error).toMatchObject({ code: "await_timeout", name: "AwaitTimeoutError", missing: ["a"], timeoutMs: 30 });
		expect(error.message).toBe('Not in memory after 30 ms: "a". Whoever sets it was too late, or uses another memory.');
		memory.set("a", 1);
		expect(await memory.waitFor("a")).toBe(1);
	});

	it("rejects at once where there is no time and no value", async () => {
		const { memory, clock } = standing();
		await expect(memory.waitFor("a", { timeoutMs: 0 })).rejects.toMatchObject({ missing: ["a"], timeoutMs: 0 });
		expect(clock.pending).toBe(0);
	});

	it("waits without a deadline where none is given", async () => {
		const { memory, clock } = standing();
		const waited = memory.waitFor("a");
		clock.advance(1e12);
		expect([await stateOf(waited), clock.pending]).toEqual(["waits", 0]);
	});

	it.each([-1, Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY, "5"])("refuses %s as a deadline", async (timeoutMs) => {
		const memory = new Memory();
		memory.set("a", 1);
		const waited = memory.waitFor("a", { timeoutMs: timeoutMs as number });
		await expect(waited).rejects.toThrow("timeoutMs must be from 0 to 2147483647");
	});

	it("names an option that it does not know: a mistyped deadline would be none", async () => {
		const mistyped = { timeout: 5 } as object;
		await expect(new Memory().waitFor("a", mistyped)).rejects.toThrow('knows no option "timeout". Did you mean "timeoutMs"?');
		await expect(new Memory().waitFor("a", 5 as unknown as object)).rejects.toThrow("memory.waitFor() takes options, got 5.");
	});
});

describe("Memory.waitFor() of several keys", () => {
	it("resolves with all of them, by key, in whatever order they come", async () => {
		const { memory, clock } = standing();
		memory.set("b", 2);
		const waited = memory.waitFor(["a", "b", "c", "a"], { timeoutMs: 10 });
		memory.set("c", 3);
		expect(await stateOf(waited)).toBe("waits");
		memory.set("a", 1);
		expect(Object.entries(await waited)).toEqual([["a", 1], ["b", 2], ["c", 3]]); // biome-ignore format: pairs
		expect(clock.pending).toBe(0);
	});

	it("has one deadline for all, and names only those that are missing then, each once", async () => {
		const { memory, clock } = standing();
		const waited = memory.waitFor(["a", "b", "c", "a"], { timeoutMs: 100 });
		for (const key of ["b"]) {
			clock.advance(90);
			memory.set(key, 1);
		}
		clock.advance(9);
		expect([await stateOf(waited), clock.pending]).toEqual(["waits", 1]);
		clock.advance(1);
		await expect(waited).rejects.toMatchObject({ missing: ["a", "c"], timeoutMs: 100 });
	});

	it("needs them at one moment: one that has gone again is missing", async () => {
		const { memory, clock } = standing();
		const waited = memory.waitFor(["a", "b"], { timeoutMs: 10 });
		memory.set("a", 1);
		memory.delete("a");
		memory.set("b", 2);
		expect(await stateOf(waited)).toBe("waits");
		memory.clear();
		memory.merge({ a: 3, b: 4 });
		expect(await waited).toEqual({ a: 3, b: 4 });
		const late = memory.waitFor(["a", "c"], { timeoutMs: 10 });
		memory.delete("a");
		clock.advance(10);
		await expect(late).rejects.toMatchObject({ missing: ["a", "c"] });
	});

	it("resolves at once for none", async () => {
		expect(await new Memory().waitFor([], { timeoutMs: 0 })).toEqual({});
	});

	it("names five of many, and cuts those that are long", async () => {
		const keys = ["x".repeat(1_000), ...Array.from({ length: 9 }, (_, index) => `key ${index}`)];
		const error = await new Memory().waitFor(keys, { timeoutMs: 0 }).catch((thrown: AwaitTimeoutError) => thrown);
		expect(error).toMatchObject({ missing: keys });
		expect(String(error)).toContain(`"${"x".repeat(60)}…", "key 0", "key 1", "key 2", "key 3" and 5 more.`);
	});
});

describe("An AbortSignal given to Memory.waitFor()", () => {
	it("ends the waiting with its reason, and is let go of", async () => {
		const { memory, clock } = standing();
		const controller = new AbortController();
		const waited = [
			memory.waitFor("a", { signal: controller.signal, timeoutMs: 5 }),
			memory.waitFor(["a", "b"], { signal: controller.signal }),
		];
		const reason = new Error("the run is over");
		controller.abort(reason);
		for (const one of waited) await expect(one).rejects.toBe(reason);
		memory.set("a", 1);
		expect([clock.pending, getEventListeners(controller.signal, "abort").length]).toEqual([0, 0]);
	});

	it("that was aborted before is heeded, whether or not there is a value", async () => {
		const memory = new Memory();
		memory.set("a", 1);
		for (const key of ["a", "b"]) await expect(memory.waitFor(key, { signal: AbortSignal.abort("over") })).rejects.toBe("over");
	});

	it("is let go of where the value comes, or the time is up; ten thousand waits leave nothing behind", async () => {
		const { memory, clock } = standing();
		const { signal } = new AbortController();
		const waits = Array.from({ length: 10_000 }, (_, index) =>
			memory.waitFor(`key ${index % 100}`, { signal, timeoutMs: 1 + (index % 2) }),
		);
		const outcomes = Promise.allSettled(waits);
		await settled();
		clock.advance(1);
		for (let key = 0; key < 50; key += 1) memory.set(`key ${key}`, key);
		clock.advance(1);
		const kinds = (await outcomes).map(({ status }) => status);
		expect([kinds.filter((kind) => kind === "fulfilled").length, kinds.length]).toEqual([2_500, 10_000]);
		expect([clock.pending, getEventListeners(signal, "abort").length]).toEqual([0, 0]);
	});
});

describe("Who has waited, in whatever way it ended", () => {
	it("is held by nothing", async () => {
		const { memory, clock } = standing();
		const references = await (async () => {
			const controllers = [new AbortController(), new AbortController(), new AbortController()] as const;
			const [coming, late, aborted] = controllers;
			const waits = [
				memory.waitFor(["coming", "a"], { signal: coming.signal }),
				memory.waitFor(["a", "late"], { signal: late.signal, timeoutMs: 5 }),
				memory.waitFor(["a", "never"], { signal: aborted.signal }),
			];
			const outcomes = Promise.allSettled(waits);
			await settled();
			memory.merge({ a: 1, coming: 2 });
			clock.advance(5);
			aborted.abort();
			expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
			return controllers.map(({ signal }) => new WeakRef(signal));
		})();
		await collectGarbage();
		expect(references.map((reference) => reference.deref())).toEqual([undefined, undefined, undefined]);
		expect(memory.keys()).toEqual(["a", "coming"]);
	});
});

describe("A reserved key that is waited for", () => {
	it("is there from the beginning, and after everything was reset, but for sessionId", async () => {
		const memory = new Memory();
		expect(await memory.waitFor(["data", "results", "messages"], { timeoutMs: 0 })).toEqual({ data: {}, results: [], messages: [] });
		const waited = memory.waitFor(["data", "sessionId", "a"]);
		memory.set("data", { b: 1 });
		memory.reset();
		memory.set("a", 1);
		memory.set("sessionId", "s");
		expect(await waited).toEqual({ data: {}, sessionId: "s", a: 1 });
	});
});

describe("A backend that fails while somebody waits", () => {
	it("fails the one who waits, and not the one whose change came last", async () => {
		const backend = new InProcessBackend();
		const memory = new Memory({ backend });
		const waited = memory.waitFor(["a", "b"]);
		memory.set("a", 1);
		const read = backend.read.bind(backend);
		backend.read = (key) => {
			if (key === "a") throw new Error("disk");
			return read(key);
		};
		memory.set("b", 2);
		await expect(waited).rejects.toThrow("disk");
	});
});

describe("A process in which a deadline is still to come", () => {
	it("ends when it has nothing else to do", () => {
		const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "fixtures/waits.mjs")], {
			encoding: "utf8",
			timeout: 50_000,
		});
		expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "waits\n", stderr: "" });
	});
});

import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { InProcessBackend } from "../../src/memory/in-process-backend.js";
import { Memory } from "../../src/memory/memory.js";
import { warningsDuring } from "../stream/publishing.js";
import { collectGarbage } from "./collect-garbage.js";

describe("Memory.subscribe()", () => {
	it("tells at once, of the keys that were asked for, once for each change", () => {
		const memory = new Memory();
		const heard: unknown[] = [];
		memory.subscribe(["a", "b", "a"], ({ key, value }) => heard.push([key, value]));
		memory.set("a", 1);
		memory.set("c", 2);
		memory.set("b", 3);
		memory.delete("a");
		expect(heard).toEqual([["a", 1], ["b", 3], ["a", undefined]]); // biome-ignore format: pairs
	});

	it("tells until it is told to stop, in either way, and twice is harmless", () => {
		const memory = new Memory();
		const heard: unknown[] = [];
		const [first, second] = [
			memory.subscribe(["a", "b"], () => heard.push("first")),
			memory.subscribePattern("*", () => heard.push("second")),
		];
		expect(first.id).not.toBe(second.id);
		memory.set("a", 1);
		first.unsubscribe();
		first.unsubscribe();
		memory.set("b", 1);
		{
			using _ = second;
		}
		memory.set("a", 2);
		expect(heard).toEqual(["first", "second", "second"]);
	});

	it("tells the same function as often as it was given", () => {
		const memory = new Memory();
		let heard = 0;
		const listener = (): unknown => (heard += 1);
		const [once] = [memory.subscribe("a", listener), memory.subscribe("a", listener)];
		memory.set("a", 1);
		once.unsubscribe();
		memory.set("a", 2);
		expect(heard).toBe(3);
	});

	it("tells listeners of keys and of patterns in the order in which they came", () => {
		const memory = new Memory();
		const heard: number[] = [];
		memory.subscribePattern("a*", () => heard.push(1));
		memory.subscribe("ab", () => heard.push(2));
		memory.subscribePattern("?b", () => heard.push(3));
		memory.subscribe("ab", () => heard.push(4));
		memory.set("ab", 1);
		expect(heard).toEqual([1, 2, 3, 4]);
	});

	it("lets go of a listener that has gone", async () => {
		const memory = new Memory();
		const references = (() => {
			const listeners = [() => {}, () => {}];
			memory.subscribe(["a", "b"], listeners[0] as () => void).unsubscribe();
			memory.subscribePattern("*", listeners[1] as () => void).unsubscribe();
			return listeners.map((listener) => new WeakRef(listener));
		})();
		await collectGarbage();
		expect(references.map((reference) => reference.deref())).toEqual([undefined, undefined]);
	});
});

describe("A listener of a Memory", () => {
	it.each<[string, () => unknown]>([
		["throws", () => { throw new Error("broken"); }], // biome-ignore format: one line
		["rejects", async () => Promise.reject(new Error("broken"))],
		["throws what has no text", () => { throw Object.create(null); }], // biome-ignore format: one line
	])("that %s changes nothing for anybody, itself included, and is warned of once", async (_, fails) => {
		const memory = new Memory();
		const heard: string[] = [];
		memory.subscribe("a", () => heard.push("before"));
		memory.subscribe("a", () => {
			heard.push("failing");
			return fails();
		});
		memory.subscribe("a", () => heard.push("after"));
		const warnings = await warningsDuring(() => {
			memory.set("a", 1);
			memory.set("a", 2);
		});
		expect(heard).toEqual(["before", "failing", "after", "before", "failing", "after"]);
		expect(warnings.map(({ code }) => code)).toEqual(["ROBOT_LAB_LISTENER_FAILED"]);
		expect(warnings[0]?.message).toContain("A listener of a memory failed, and is still told of the next changes");
	});

	it("that fails is told of where that was asked for, each time, and no warning is given", async () => {
		const failures: unknown[] = [];
		const memory = new Memory({
			onListenerError: (error) => {
				failures.push(error);
				throw new Error("the one who is told fails, too");
			},
		});
		memory.subscribe("a", () => {
			throw "first";
		});
		memory.subscribe("a", () => Promise.reject("second"));
		const warnings = await warningsDuring(() => memory.set("a", 1));
		expect(failures).toEqual(["first", "second"]);
		expect(warnings.map(({ message }) => message)).toEqual([
			expect.stringContaining("the one who is told fails, too"),
			expect.stringContaining("the one who is told fails, too"),
		]);
	});

	it("that changes something is heard of by all in the order of the changes, and reads what is there by then", () => {
		const memory = new Memory();
		const heard: Record<string, unknown[]> = { early: [], late: [] };
		memory.subscribePattern("*", ({ key, value }) => heard.early?.push([key, value, memory.get("a")]));
		memory.subscribe("a", ({ value }) => {
			if (value === 1) memory.as("listener").set("a", 2);
		});
		memory.subscribe("a", ({ value }) => {
			if (value === 1) memory.set("b", "answer");
		});
		memory.subscribePattern("*", ({ key, value }) => heard.late?.push([key, value, memory.get("a")]));
		memory.set("a", 1);
		expect(heard.early).toEqual([["a", 1, 1], ["a", 2, 2], ["b", "answer", 2]]); // biome-ignore format: triples
		expect(heard.late).toEqual([["a", 1, 2], ["a", 2, 2], ["b", "answer", 2]]); // biome-ignore format: triples
	});

	it("that comes in the middle hears of what is changed after it came, and of nothing before", () => {
		const memory = new Memory();
		const heard: unknown[] = [];
		let hasCome = false;
		memory.subscribe("a", () => {
			memory.set("b", "before");
			if (!hasCome) memory.subscribe(["a", "b"], ({ key, value }) => heard.push([key, value]));
			hasCome = true;
			memory.set("b", "after");
		});
		memory.set("a", 1);
		expect(heard).toEqual([["b", "after"]]);
	});

	it("that goes, or is made to go, in the middle hears nothing more, not even of what was changed before", () => {
		const memory = new Memory();
		const heard: string[] = [];
		const own = memory.subscribe("a", () => {
			heard.push("own");
			memory.set("a", 2);
			own.unsubscribe();
			other.unsubscribe();
		});
		const other = memory.subscribePattern("a", () => heard.push("other"));
		memory.subscribe("a", ({ value }) => heard.push(`stays ${value}`));
		memory.set("a", 1);
		expect(heard).toEqual(["own", "stays 1", "stays 2"]);
	});

	it("that answers itself for ever, alone or in two parts, fails in the end, and the memory goes on", () => {
		const failures: unknown[] = [];
		const memory = new Memory({ onListenerError: (error) => failures.push(error) });
		memory.subscribe("loop", ({ value }) => memory.set("loop", (value as number) + 1));
		memory.subscribe("ping", () => memory.merge({ pong: 1, ping: 1 }));
		memory.subscribe("pong", () => memory.set("ping", 1));
		for (const key of ["loop", "ping"]) {
			failures.length = 0;
			memory.set(key, 1);
			expect(failures.length).toBeGreaterThan(0);
			expect(failures[0]).toMatchObject({ code: "memory_loop", message: expect.stringContaining("looks like a loop") });
			expect(ConfigurationError.isInstance(failures[0])).toBe(true);
		}
		expect(memory.get("loop")).toBe(100_001);
		const heard: unknown[] = [];
		memory.subscribe("next", ({ value }) => heard.push(value));
		memory.set("next", 1);
		expect(heard).toEqual([1]);
	});

	it("may make many changes in answer to many, as long as each is answered", () => {
		const failures: unknown[] = [];
		const memory = new Memory({ onListenerError: (error) => failures.push(error) });
		memory.subscribe("a", ({ value }) => {
			for (let index = 0; index < 100; index += 1) memory.set(`${index}`, value);
		});
		for (let round = 0; round < 2_000; round += 1) memory.set("a", round);
		expect([failures, memory.get("99")]).toEqual([[], 1_999]);
	});

	it("hears of what was done although a backend failed in the middle of it", () => {
		const backend = new InProcessBackend();
		const memory = new Memory({ backend });
		const heard: unknown[] = [];
		memory.subscribePattern("*", ({ key, kind }) => heard.push([kind, key]));
		const write = backend.write.bind(backend);
		backend.write = (key, value) => {
			if (key === "b") throw new Error("disk full");
			write(key, value);
		};
		expect(() => memory.merge({ a: 1, b: 2, c: 3 })).toThrow("disk full");
		expect(heard).toEqual([["created", "a"]]);
		memory.set("c", 3);
		expect(heard).toEqual([["created", "a"], ["created", "c"]]); // biome-ignore format: pairs
		expect(memory.keys()).toEqual(["a", "c"]);
	});
});

describe("Memory.subscribePattern()", () => {
	it("is about keys that come later, and not about the reserved ones", () => {
		const memory = new Memory();
		const heard: string[] = [];
		memory.subscribePattern("*s*", ({ key }) => heard.push(key));
		memory.merge({ results: [], messages: [], sessionId: "s", notes: 1, other: 2 });
		memory.reset();
		expect(heard).toEqual(["notes", "notes"]);
	});

	it("is a reserved key's by its name", () => {
		const memory = new Memory();
		const heard: unknown[] = [];
		memory.subscribe("sessionId", ({ kind, value }) => heard.push([kind, value]));
		memory.set("sessionId", "one");
		memory.reset();
		expect(heard).toEqual([["created", "one"], ["deleted", undefined]]); // biome-ignore format: pairs
	});
});

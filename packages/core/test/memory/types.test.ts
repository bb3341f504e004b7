import { describe, expectTypeOf, it } from "vitest";
import { Memory } from "../../src/memory/memory.js";
import type { Message } from "../../src/message/message.js";
import type { RobotResultRecord } from "../../src/message/robot-result-record.js";

interface Notes {
	draft: string;
	facts: string[];
	score: { value: number; seen: Date };
}

describe("The types of a Memory", () => {
	it("know what is below which key, and that it is frozen JSON", () => {
		const memory = new Memory<Notes>();
		expectTypeOf(memory.get("draft")).toEqualTypeOf<string | undefined>();
		expectTypeOf(memory.get("facts")).toEqualTypeOf<readonly string[] | undefined>();
		expectTypeOf(memory.get("score")).toEqualTypeOf<{ readonly value: number; readonly seen: string } | undefined>();
		expectTypeOf(memory.get("messages")).toExtend<readonly Message[] | undefined>();
		expectTypeOf(memory.get("results")).toExtend<readonly RobotResultRecord[] | undefined>();
		expectTypeOf(memory.get("sessionId")).toEqualTypeOf<string | undefined>();
	});

	it("refuse another key, and another value", () => {
		const memory = new Memory<Notes>();
		// @ts-expect-error: there is no such key
		memory.get("drafts");
		// @ts-expect-error: a draft is text
		memory.set("draft", 1);
		// @ts-expect-error: and so it is beside other keys
		memory.merge({ score: { value: 1, seen: new Date(0) }, draft: 1 });
		// @ts-expect-error: what is read is not for changing
		memory.get("facts")?.push;
	});

	it("know what is waited for, and which change belongs to which key", () => {
		const memory = new Memory<Notes>();
		const waits = () => ({ one: memory.waitFor("draft"), both: memory.waitFor(["draft", "facts"]) });
		expectTypeOf<ReturnType<typeof waits>["one"]>().toEqualTypeOf<Promise<string>>();
		expectTypeOf<ReturnType<typeof waits>["both"]>().resolves.toEqualTypeOf<{
			readonly draft: string;
			readonly facts: readonly string[];
		}>();
		memory.subscribe(["draft", "facts"], (change) => {
			expectTypeOf(change.key).toEqualTypeOf<"draft" | "facts">();
			if (change.key === "draft" && change.kind !== "deleted") expectTypeOf(change.value).toEqualTypeOf<string>();
			if (change.key === "facts" && change.kind === "deleted") expectTypeOf(change.previous).toEqualTypeOf<readonly string[]>();
		});
	});

	it("let a memory that knows its keys be taken for one that knows none, and one that knows none hold anything", () => {
		const memory: Memory = new Memory<Notes>();
		expectTypeOf(memory.get("anything")).toEqualTypeOf<unknown>();
		const { facts, anything } = { facts: ["a"], anything: { b: 1 } };
		memory.merge({ facts, anything });
		expectTypeOf(memory.as("bob")).toEqualTypeOf<Memory>();
	});
});

import { describe, expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import type { HookFamily } from "../../src/hook/hook-facts.js";
import { userText } from "../../src/message/message.js";
import { Robot } from "../../src/robot/robot.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { createTool } from "../../src/tool/create-tool.js";
import { CALL, chainOf, outcome, rejection } from "./chain.js";

type Loose = Record<string, Record<string, unknown> & unknown[]>;
type Change = (context: Loose) => unknown;

/** A hook that does the same at every method of a family there is. */
const at = (method: string, change: Change): Hook => ({ namespace: "odd", [method]: change }) as unknown as Hook;

const script = { confinement: "none", exitCode: 1, refusal: { code: "x", message: "y" } } as never;
const generated = { text: "said", stopReason: "stop", usage: { promptTokens: 1 } } as const;
const known = { model: "m", systemPrompt: "", tools: ["add"], messages: [userText("hi")] };

describe("What a hook is shown", () => {
	it.each<[HookFamily, string, object, unknown, Change]>([
		["toolCall", "the text of a result", CALL, outcome("made"), ({ result }) => Object.assign(result ?? {}, { text: { a: 1 } })],
		["toolCall", "whether it failed", CALL, outcome("made"), ({ result }) => Object.assign(result ?? {}, { isError: "junk" })],
		[
			"toolCall",
			"how a script ended",
			CALL,
			{ ...outcome("made"), script },
			({ result }) => Object.assign(result?.script ?? {}, { exitCode: 0 }),
		],
		[
			"toolCall",
			"why it was refused",
			CALL,
			{ ...outcome(""), script },
			({ result }) => Object.assign(Object(result?.script).refusal, { code: 5 }),
		],
		[
			"toolCall",
			"what is raised",
			CALL,
			{ ...outcome(""), raised: { error: 5 } },
			({ result }) => Object.assign(result?.raised ?? {}, { error: 6 }),
		],
		["llmGeneration", "an answer", { message: "hi", ...known }, generated, ({ result }) => Object.assign(result ?? {}, { text: 5 })],
		[
			"llmGeneration",
			"a usage",
			{ message: "hi", ...known },
			generated,
			({ result }) => Object.assign(result?.usage ?? {}, { promptTokens: 0 }),
		],
		["llmGeneration", "the tools", { message: "hi", ...known }, generated, ({ tools }) => tools?.push("another")],
		["llmGeneration", "the messages", { message: "hi", ...known }, generated, ({ messages }) => messages?.push(5)],
		[
			"llmGeneration",
			"a message",
			{ message: "hi", ...known },
			generated,
			({ messages }) => Object.assign(messages?.[0] as object, { content: "" }),
		],
		["learn", "what was learned before", { text: "a", learnings: ["b"] }, ["b", "a"], ({ learnings }) => learnings?.pop()],
		["compaction", "a history", { messages: [userText("hi")] }, [userText("hi")], ({ messages }) => messages?.pop()],
		["compaction", "the shorter history", { messages: [userText("hi")] }, [userText("hi")], ({ result }) => result?.pop()],
	])("cannot be changed in place, in %s: %s", async (family, _, facts, result, change) => {
		const method = `after${family[0]?.toUpperCase()}${family.slice(1)}`;
		const work = chainOf([at(method, change)]).run(family, facts as never, async () => result as never);
		expect(await rejection(work)).toBeInstanceOf(TypeError);
	});

	it("is frozen where an around gets it from next, and where it answers with something of its own, too", async () => {
		const own = { ...outcome("own"), script };
		const seen: unknown[] = [];
		const hooks = [
			at("afterToolCall", ({ result }) => seen.push(Object.isFrozen(result), Object.isFrozen(result?.script))),
			{
				namespace: "own",
				aroundToolCall: async (_: unknown, next: () => Promise<unknown>) => seen.push(Object.isFrozen(await next())) && own,
			},
		] as readonly Hook[];
		expect(await chainOf(hooks).run("toolCall", CALL, async () => outcome("made"))).toEqual(own);
		own.text = "changed later";
		expect(seen).toEqual([true, true, true]);
	});

	it("is what a hook set as it was then, whatever becomes of it", async () => {
		const shorter = [userText("short")];
		const hook = at("onCompaction", (context) => {
			Object.assign(context, { compactedMessages: shorter });
			shorter.push(5 as never);
			expect(() => (context.compactedMessages as unknown[]).push(5)).toThrow(TypeError);
		});
		expect(await chainOf([hook]).run("compaction", { messages: [] }, () => expect.fail("not to be done"))).toEqual([userText("short")]);
	});

	it("stays the very same where a hook sets what was there", async () => {
		const messages = [userText("hi")];
		const hook = at("afterCompaction", (context) => Object.assign(context, { result: context.result }));
		expect(await chainOf([hook]).run("compaction", { messages: [] }, async () => messages)).toBe(messages);
	});

	it("keeps the very error of a tool that raises it", async () => {
		const error = new Error("mine");
		const hook = at("afterToolCall", (context) => Object.assign(context, { result: { ...context.result, text: "said" } }));
		const result = await chainOf([hook]).run("toolCall", CALL, async () => ({ text: "", isError: true, raised: { error } }));
		expect([result.text, result.raised?.error]).toEqual(["said", error]);
		expect(result.raised?.error).toBe(error);
		expect(Object.isFrozen(error)).toBe(false);
	});

	it.each<[unknown]>([
		[{ text: "a", isError: false, script: 5 }],
		[{ text: "a", isError: false, script: { refusal: null } }],
		[{ text: "a", isError: false, raised: 5 }],
	])("is without what is no such thing: %o", async (result) => {
		const hook = at("afterToolCall", (context) => Object.assign(context, { result }));
		expect(await chainOf([hook]).run("toolCall", CALL, async () => outcome("made"))).toEqual(outcome("a"));
	});

	it("does not get into a history by way of a change in place", async () => {
		const add = createTool({ name: "add", description: "Adds.", execute: () => "3" });
		const model = new ScriptedModel([{ toolCalls: [{ name: "add" }] }, "Done.", "Again."]);
		const hook = at("afterToolCall", ({ result }) => Object.assign(result ?? {}, { text: { a: 1 } }));
		const robot = new Robot({ name: "bob", model, localTools: [add], hooks: [hook] });
		expect(await rejection(robot.run("Add."))).toBeInstanceOf(TypeError);
		expect(robot.messages.at(-1)).toMatchObject({ type: "tool_result", isError: true, content: expect.stringContaining("Cannot assign") });
	});
});

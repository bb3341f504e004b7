import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { History } from "../../src/history/history.js";
import { Hook } from "../../src/hook/hook.js";
import type { HookContext } from "../../src/hook/hook-context.js";
import type { Message } from "../../src/message/message.js";
import { Conversation } from "../../src/robot/conversation.js";
import { Robot } from "../../src/robot/robot.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { createTool } from "../../src/tool/create-tool.js";
import { faultsOf, talk, work } from "../history/histories.js";

/** What users asked in it, which tells the turns apart. */
const asked = (history: History): readonly string[] =>
	history.flatMap(({ role, content }) => (role === "user" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : []));

const look = createTool({ name: "find", description: "Looks.", execute: () => "found" });

describe("Conversation.shorten()", () => {
	it("does nothing to a history that was emptied, replaced or made shorter since, an empty one too", () => {
		for (const before of [[], talk("old", "x")]) {
			for (const since of [
				(all: Conversation) => all.replace([]),
				(all: Conversation) => all.replace(talk("other", "x")),
				(all: Conversation) => void all.shorten(all.history, talk("first", "x")),
			]) {
				const conversation = new Conversation();
				conversation.replace(before);
				const from = conversation.history;
				conversation.append(talk("new", "x"));
				since(conversation);
				const now = conversation.history;
				expect(conversation.shorten(from, talk("short", "x"))).toBe(false);
				expect(conversation.history).toBe(now);
			}
		}
	});

	it("keeps what was added meanwhile, under ids of its own", () => {
		const conversation = new Conversation();
		const from = conversation.history;
		conversation.append(work("new", "c1", "g", "x"));
		expect(conversation.shorten(from, work("short", "c1", "g", "x"))).toBe(true);
		expect(asked(conversation.history)).toEqual(["short", "new"]);
		expect(faultsOf(conversation.history)).toEqual([]);
	});

	it("changes nothing where nothing is shorter, so that another one still counts", () => {
		const conversation = new Conversation();
		conversation.append(talk("old", "x"));
		const from = conversation.history;
		expect(conversation.shorten(from, from)).toBe(false);
		expect(conversation.shorten(from, talk("short", "x"))).toBe(true);
	});

	it("puts each turn into one place, in whatever order things happen", () => {
		const step = fc.oneof(
			fc.record({ does: fc.constantFrom("append", "take", "empty", "replace") }),
			fc.record({ does: fc.constant("shorten"), taken: fc.nat(4) }),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
				const conversation = new Conversation();
				const taken: { from: History; isValid: boolean }[] = [];
				const invalidate = (): void => void taken.splice(0, taken.length, ...taken.map(({ from }) => ({ from, isValid: false })));
				let expected: string[] = [];
				for (const [index, { does, ...more }] of steps.entries()) {
					const name = `${index}`;
					const turn = work(name, `c${index % 3}`, "g", "x");
					if (does === "append") {
						conversation.append(turn);
						expected.push(name);
					} else if (does === "take") {
						taken.push({ from: conversation.history, isValid: true });
					} else if (does === "shorten") {
						const chosen = taken["taken" in more ? more.taken : 0];
						if (chosen === undefined) continue;
						expect(conversation.shorten(chosen.from, turn)).toBe(chosen.isValid);
						if (!chosen.isValid) continue;
						expected = [name, ...expected.slice(asked(chosen.from).length)];
						invalidate();
					} else {
						conversation.replace(does === "empty" ? [] : turn);
						expected = does === "empty" ? [] : [name];
						invalidate();
					}
					expect(asked(conversation.history)).toEqual(expected);
					expect(faultsOf(conversation.history)).toEqual([]);
				}
			}),
		);
	});
});

describe("a history that was made shorter", () => {
	const call = { id: "call_1", name: "find", args: {} };
	const shorter: readonly Message[] = [
		{ type: "text", role: "user", content: "u" },
		{ type: "tool_call", role: "assistant", tools: [call] },
		{ type: "tool_result", role: "tool_result", tool: call, content: "c", isError: false, durationMs: 0 },
		{ type: "text", role: "assistant", content: "x" },
	];

	it.each(["a function", "a hook"])("by %s brings ids that no call of the run has then", async (by) => {
		class Compact extends Hook {
			static override readonly namespace = "compact";
			override onCompaction(context: HookContext<"compaction">): void {
				context.compactedMessages = shorter;
			}
		}
		const model = new ScriptedModel(["one", { toolCalls: [{ id: "call_1", name: "find" }] }, "two", "three"]);
		const options =
			by === "a hook" ? { autoCompact: (all: readonly Message[]) => all, hooks: [new Compact()] } : { autoCompact: () => shorter };
		const robot = new Robot({ name: "bob", model, localTools: [look], ...options });
		await robot.run("a");
		await robot.run("b");
		expect(JSON.stringify(model.calls[2]?.prompt)).toContain("call_1");
		for (const { prompt } of model.calls) expect(faultsOf(prompt)).toEqual([]);
	});

	it("after it was emptied does not come back", async () => {
		const begun = Promise.withResolvers<void>();
		class Slow extends Hook {
			static override readonly namespace = "slow";
			override async onCompaction(context: HookContext<"compaction">): Promise<void> {
				await begun.promise;
				context.compactedMessages = shorter;
			}
		}
		const robot = new Robot({ name: "bob", model: new ScriptedModel(["a"]), hooks: [new Slow()] });
		const compressed = robot.compressHistory();
		await robot.run("x");
		robot.clearMessages();
		begun.resolve();
		await compressed;
		expect(robot.messages).toEqual([]);
	});
});

import { describe, expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import { type Message, userText } from "../../src/message/message.js";
import { chainOf, rejection } from "./chain.js";

const learn = (hooks: readonly Hook[]) =>
	chainOf(hooks).run("learn", { text: "Water boils. ", learnings: ["old"] }, async ({ text, learnings }) => [...learnings, text]);

const LONG: readonly Message[] = [userText("one"), userText("two")];
const compact = (hooks: readonly Hook[], body = async () => LONG.slice(1)) => chainOf(hooks).run("compaction", { messages: LONG }, body);

describe("onLearn", () => {
	it("is told of what was learned with what hooks made of it", async () => {
		const seen: unknown[] = [];
		const hook: Hook = {
			namespace: "x",
			beforeLearn: (context) => {
				context.text = context.text.trim();
			},
			onLearn: ({ text, learnings, result }) => seen.push([text, learnings, result]),
		};
		expect(await learn([hook])).toEqual(["old", "Water boils."]);
		expect(seen).toEqual([["Water boils.", ["old"], ["old", "Water boils."]]]);
	});

	it("is not told where an around answered in the place of learning", async () => {
		const hook: Hook = { namespace: "x", aroundLearn: ({ learnings }) => learnings, onLearn: () => expect.fail("nothing was learned") };
		expect(await learn([hook])).toEqual(["old"]);
	});

	it("fails the learning with what it throws", async () => {
		const error = new Error("broken");
		expect(await rejection(learn([{ namespace: "x", onLearn: () => Promise.reject(error) }]))).toBe(error);
	});
});

describe("onCompaction", () => {
	it("makes the history shorter in the robot's place where it sets compactedMessages; the last that is set counts", async () => {
		const seen: unknown[] = [];
		const setting = (namespace: string, messages: readonly Message[]): Hook => ({
			namespace,
			onCompaction: async (context) => {
				seen.push(context.compactedMessages);
				context.compactedMessages = messages;
			},
		});
		const last = [userText("last")];
		const hooks = [
			setting("one", []),
			setting("two", last),
			{ namespace: "x", afterCompaction: (context) => seen.push(context.result) } as Hook,
		];
		expect(await compact(hooks, () => expect.fail("is in its place"))).toEqual(last);
		expect(seen).toEqual([undefined, [], last]);
	});

	it("leaves it to the robot where it sets none, or takes it back", async () => {
		const hook: Hook = {
			namespace: "x",
			onCompaction: (context) => {
				context.compactedMessages = [];
				context.compactedMessages = undefined;
			},
		};
		expect(await compact([hook, { namespace: "y", onCompaction: () => {} }])).toEqual(LONG.slice(1));
	});

	it("cannot set messages that no model accepts", async () => {
		const hook: Hook = {
			namespace: "x",
			onCompaction: (context) => {
				context.compactedMessages = [{ type: "text", role: "assistant", content: "hi" }];
			},
		};
		expect(await rejection(compact([hook]))).toMatchObject({
			code: "configuration",
			message: expect.stringMatching(/^onCompaction of the hook "x": context\.compactedMessages cannot be used\. /),
		});
	});
});

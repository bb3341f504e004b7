import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Robot } from "../../src/robot/robot.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedReply } from "../../src/testing/scripted-reply.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "./valid-history.js";

/** How many calls each round of a run asks for; behind the last round it answers. */
type Plan = readonly number[];
type Part = { type: string; text?: string; toolCallId?: string; input?: { said?: string }; output?: { value?: string } };

const plans: fc.Arbitrary<readonly Plan[]> = fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }), {
	minLength: 2,
	maxLength: 5,
});

const partsOf = ({ content }: LanguageModelV4Message): readonly Part[] => (typeof content === "string" ? [] : (content as readonly Part[]));

/** A history cut before each message of a user. */
function turnsOf(history: readonly LanguageModelV4Message[]): LanguageModelV4Message[][] {
	const turns: LanguageModelV4Message[][] = [];
	for (const message of history) {
		if (message.role === "user") turns.push([message]);
		else turns.at(-1)?.push(message);
	}
	return turns;
}

/** Asked in the run "run 2", it answers as that run is planned, whatever the others do. Its calls have the same ids in every reply, as some servers' have. */
function reply(prompt: readonly LanguageModelV4Message[], all: readonly Plan[]): ScriptedReply {
	const turn = turnsOf(prompt).at(-1) ?? [];
	const name = (turn[0] && partsOf(turn[0])[0]?.text) ?? "";
	const round = turn.filter(({ role }) => role === "assistant").length;
	const calls = all[Number(name.slice(4))]?.[round] ?? 0;
	if (calls === 0) return { text: `answer to ${name}` };
	return {
		text: `${name}, round ${round}`,
		toolCalls: Array.from({ length: calls }, (_, call) => ({
			id: `call_${call}`,
			name: "echo",
			args: { said: `${name}, ${round}, ${call}` },
		})),
	};
}

/** What a run of the name adds to the conversation, apart from the ids of its calls. */
function expectWholeTurn(turn: readonly LanguageModelV4Message[], all: readonly Plan[]): string {
	const name = (turn[0] && partsOf(turn[0])[0]?.text) ?? "";
	const rounds = all[Number(name.slice(4))] ?? [];
	expect(turn.map(({ role }) => role)).toEqual(["user", ...rounds.flatMap(() => ["assistant", "tool"]), "assistant"]);
	const said = new Map<string, string>();
	turn.slice(1).forEach((message, index) => {
		const [round, calls] = [Math.floor(index / 2), rounds[Math.floor(index / 2)] ?? 0];
		const expected = Array.from({ length: calls }, (_, call) => `${name}, ${round}, ${call}`);
		const parts = partsOf(message);
		if (message.role === "tool") {
			expect(parts.map(({ toolCallId = "", output }) => [said.get(toolCallId), output?.value])).toEqual(
				expected.map((text) => [text, text]),
			);
			return;
		}
		expect(parts[0]?.text).toBe(calls === 0 ? `answer to ${name}` : `${name}, round ${round}`);
		expect(parts.slice(1).map(({ input }) => input?.said)).toEqual(expected);
		for (const { toolCallId = "", input } of parts.slice(1)) said.set(toolCallId, input?.said ?? "");
	});
	return name;
}

function expectUniqueIds(history: readonly LanguageModelV4Message[]): readonly string[] {
	const ids = history.flatMap((message) =>
		partsOf(message).flatMap(({ type, toolCallId = "" }) => (type === "tool-call" ? [toolCallId] : [])),
	);
	expect(new Set(ids).size).toBe(ids.length);
	return ids;
}

/** Runs all plans at once on one robot, in an order that the scheduler chooses; between them come the changes. */
async function overlap(
	all: readonly Plan[],
	scheduler: fc.Scheduler,
	changes: readonly ((robot: Robot) => void)[] = [],
): Promise<ScriptedModel> {
	const turn = (label: string): Promise<void> => scheduler.schedule(Promise.resolve(), label);
	const model = new ScriptedModel(
		Array.from({ length: 100 }, () => async ({ prompt }: { prompt: readonly LanguageModelV4Message[] }) => {
			await turn("model");
			return reply(prompt, all);
		}),
	);
	const echo = createTool<{ said: string }>({
		name: "echo",
		description: "Says it again.",
		parameters: { type: "object", properties: { said: { type: "string" } } },
		execute: async ({ said }) => {
			await turn("tool");
			return said;
		},
	});
	const robot = new Robot({ name: "bob", model, localTools: [echo] });
	const runs = all.map(async (_, index) => {
		await turn("run");
		const result = await robot.run(`run ${index}`);
		expect(result).toMatchObject({ stopReason: "stop", lastTextContent: `answer to run ${index}` });
		expect(result.toolCalls.map(({ tool, content }) => [tool.args, content])).toEqual(
			result.toolCalls.map(({ content }) => [{ said: content }, content]),
		);
	});
	const changing = changes.map(async (change) => {
		await turn("change");
		change(robot);
	});
	await scheduler.waitFor(Promise.all([...runs, ...changing]));
	await scheduler.waitFor(robot.run("run x"));
	for (const { prompt } of model.calls) expectValidHistory(prompt);
	return model;
}

const lastPrompt = (model: ScriptedModel): readonly LanguageModelV4Message[] => model.calls.at(-1)?.prompt.slice(0, -1) ?? [];

describe("runs of one robot that overlap", () => {
	it("each add their turn as a whole, once, with ids that no other call has", async () => {
		let crossed = 0;
		await fc.assert(
			fc.asyncProperty(plans, fc.scheduler(), async (all, scheduler) => {
				const history = lastPrompt(await overlap(all, scheduler));
				const names = turnsOf(history).map((turn) => expectWholeTurn(turn, all));
				expect(names.toSorted()).toEqual(all.map((_, index) => `run ${index}`));
				expectUniqueIds(history);
				if (names.join() !== names.toSorted().join()) crossed++;
			}),
			{ numRuns: 150 },
		);
		expect(crossed).toBeGreaterThan(0);
	});

	it("begin from the conversation as it was then, and see nothing of what others say meanwhile", async () => {
		await fc.assert(
			fc.asyncProperty(plans, fc.scheduler(), async (all, scheduler) => {
				const model = await overlap(all, scheduler);
				const begun = new Map<string, readonly unknown[]>();
				for (const { prompt } of model.calls) {
					const turns = turnsOf(prompt);
					const name = partsOf(turns.at(-1)?.[0] as LanguageModelV4Message)[0]?.text ?? "";
					const before = turns.slice(0, -1);
					for (const turn of before) expectWholeTurn(turn, all);
					expect(begun.get(name) ?? before).toEqual(before);
					begun.set(name, before);
				}
			}),
			{ numRuns: 80 },
		);
	});

	it("leave a valid history where what was said is forgotten, or the robot changed, in between", async () => {
		let forgotten = 0;
		let renamed = 0;
		const changes = [
			(robot: Robot) => robot.clearMessages(),
			(robot: Robot) => void robot.update({ temperature: 0.5 }),
			(robot: Robot) => robot.clearMessages(),
		];
		await fc.assert(
			fc.asyncProperty(plans, fc.scheduler(), async (all, scheduler) => {
				const history = lastPrompt(await overlap(all, scheduler, changes));
				const names = turnsOf(history).map((turn) => expectWholeTurn(turn, all));
				expect(new Set(names).size).toBe(names.length);
				const ids = expectUniqueIds(history);
				if (names.length < all.length) forgotten++;
				if (ids.some((id) => id.length > 10)) renamed++;
			}),
			{ numRuns: 200 },
		);
		expect(Math.min(forgotten, renamed)).toBeGreaterThan(0);
	});
});

describe("a robot's conversation", () => {
	it("goes on from run to run, with calls and what came of them, until it is cleared", async () => {
		const all: readonly Plan[] = [[2], [], [1, 1]];
		const model = new ScriptedModel(
			Array.from(
				{ length: 20 },
				() =>
					({ prompt }: { prompt: readonly LanguageModelV4Message[] }) =>
						reply(prompt, all),
			),
		);
		const echo = createTool<{ said: string }>({
			name: "echo",
			description: "x",
			parameters: { type: "object" },
			execute: ({ said }) => said,
		});
		const robot = new Robot({ name: "bob", model, localTools: [echo], systemPrompt: "Be kind." });
		for (const index of [0, 1, 2]) await robot.run(`run ${index}`);
		const prompt = model.calls.at(-1)?.prompt ?? [];
		expect(prompt.filter(({ role }) => role === "system")).toHaveLength(1);
		expect(
			turnsOf(prompt.slice(1))
				.slice(0, 2)
				.map((turn) => expectWholeTurn(turn, all)),
		).toEqual(["run 0", "run 1"]);
		expect(expectUniqueIds(prompt)).toHaveLength(4);
		expect(robot.messages.map(({ type }) => type)).toEqual(
			["text", "text", "tool_call", "tool_result", "tool_result", "text", "text", "text"].concat([
				"text",
				"text",
				"tool_call",
				"tool_result",
				"text",
				"tool_call",
				"tool_result",
				"text",
			]),
		);
		robot.clearMessages();
		expect(robot.messages).toEqual([]);
		await robot.run("run 1");
		expect(model.calls.at(-1)?.prompt.map(({ role }) => role)).toEqual(["system", "user"]);
	});

	it("cannot be changed by who reads it", async () => {
		const robot = new Robot({ name: "bob", model: new ScriptedModel(["one", "two"]) });
		await robot.run("x");
		const messages = robot.messages as unknown as { content?: string }[];
		messages.length = 1;
		if (messages[0]) messages[0].content = "changed";
		expect(robot.messages.map((message) => message.type === "text" && message.content)).toEqual(["x", "one"]);
	});
});

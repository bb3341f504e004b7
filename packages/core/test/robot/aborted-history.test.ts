import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RobotResult } from "../../src/message/robot-result.js";
import { Robot } from "../../src/robot/robot.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../src/testing/scripted-reply.js";
import { type Plan, plans, robotFor, runPlan } from "./log/random-run.js";
import { expectValidHistory } from "./valid-history.js";

type Part = { type: string; text?: string; toolCallId?: string; toolName?: string; input?: unknown; output?: { value?: unknown } };

/** What the log says was said: all text, each call's name, and what each call came to. */
interface Said {
	readonly text: string;
	readonly calls: ReadonlyMap<string, string | undefined>;
	readonly results: ReadonlyMap<string, unknown>;
}

/** In the runs of the robot itself, not in those beneath them. */
function saidIn(events: readonly StreamEvent[]): Said {
	const roots = new Set(
		events.flatMap(({ event, data }) => (event === "run.started" && data.parentRunId === undefined ? [data.runId] : [])),
	);
	const calls = new Map<string, string | undefined>();
	const results = new Map<string, unknown>();
	let text = "";
	for (const { event, data } of events) {
		if (!roots.has(data.runId)) continue;
		if (event === "text.delta" && "delta" in data) text += data.delta;
		if (!event.startsWith("part.") || event === "part.created" || !("type" in data) || !("toolCallId" in data)) continue;
		const { type, toolCallId, toolName, result } = data as { type: string; toolCallId: string; toolName?: string; result?: unknown };
		if (type === "tool-call") calls.set(toolCallId, toolName);
		if (type === "tool-output") results.set(toolCallId, result);
	}
	return { text, calls, results };
}

/** Everything the assistant and the tools say in a history was said, as the log tells. */
function expectNothingInvented(history: readonly LanguageModelV4Message[], asked: readonly string[], { text, calls, results }: Said): void {
	for (const { role, content } of history) {
		for (const part of content as unknown as readonly Part[]) {
			if (role === "user") expect(asked).toContain(part.text);
			else if (part.type === "text") expect(text).toContain(part.text);
			else if (part.type === "tool-call") expect(calls.get(part.toolCallId ?? "")).toBe(part.toolName);
			else if (part.type === "tool-result" && role === "tool") expect(part.output?.value).toEqual(results.get(part.toolCallId ?? ""));
		}
	}
}

/** The prompt of a further run of the robot, whatever its runs before came to. Nothing of it fails. */
async function nextPrompt(robot: Robot): Promise<readonly LanguageModelV4Message[]> {
	const model = new ScriptedModel("the next answer");
	const result = await robot.withModel(model).run("and now?");
	expect(result).toMatchObject({ stopReason: "stop", lastTextContent: "the next answer", toolCalls: [] });
	expect(model.calls).toHaveLength(1);
	return model.calls[0]?.prompt ?? [];
}

const look: ScriptedRound = { text: ["Let me look."], toolCalls: [{ name: "quick" }] };

/** One plan for each way to end, tried before the random ones: that each is seen does not hang on what these happen to be. */
const ends: Readonly<Record<string, Plan>> = {
	stop: { rounds: [look, "That is all."], maxToolRounds: 4 },
	aborted: { rounds: [look, look, "That is all."], maxToolRounds: 4, abortAt: 9 },
	failed: { rounds: [look, new Error("no model")], maxToolRounds: 4 },
	tool_limit: { rounds: [look, look], maxToolRounds: 1 },
	length: { rounds: [look, { text: "That is", finishReason: "length" }], maxToolRounds: 4 },
	interrupted: { rounds: [look, { text: "That is", finishReason: null }], maxToolRounds: 4 },
};

describe("the history after any end of a run", () => {
	it("is one that the next run goes on from, and says nothing that was not said", async () => {
		const seen: string[] = [];
		await fc.assert(
			fc.asyncProperty(plans, async (plan) => {
				const robot = robotFor(plan);
				const events: StreamEvent[] = [];
				robot.on("event", (event) => events.push(event));
				const outcome = await runPlan(plan, robot);
				const end = outcome instanceof RobotResult ? outcome.stopReason : "failed";
				seen.push(end);
				const before = robot.messages;
				const prompt = await nextPrompt(robot);
				expectValidHistory(prompt);
				expectNothingInvented(prompt, ["go", "and now?"], saidIn(events));
				expect(robot.messages.slice(0, before.length)).toEqual(before);
				if (Object.values(ends).includes(plan)) expect(prompt.length).toBeGreaterThan(1);
			}),
			{ numRuns: 400, examples: Object.values(ends).map((plan) => [plan]) },
		);
		expect(seen.slice(0, Object.keys(ends).length)).toEqual(Object.keys(ends));
	});

	it("is one as well after many such runs of one robot", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(plans, { minLength: 2, maxLength: 5 }), async (list) => {
				const [first] = list as [Plan];
				const robot = robotFor(first);
				const events: StreamEvent[] = [];
				robot.on("event", (event) => events.push(event));
				for (const { rounds, maxToolRounds, abortAt } of list) {
					robot.update({ model: new ScriptedModel(rounds), maxToolRounds });
					await runPlan({ ...first, ...(abortAt !== undefined && { abortAt }) }, robot);
				}
				const prompt = await nextPrompt(robot);
				expectValidHistory(prompt);
				expectNothingInvented(prompt, ["go", "and now?"], saidIn(events));
				const ids = prompt.flatMap(({ content }) =>
					(content as unknown as readonly Part[]).flatMap(({ type, toolCallId }) => (type === "tool-call" ? [toolCallId] : [])),
				);
				expect(new Set(ids).size).toBe(ids.length);
			}),
			{ numRuns: 100 },
		);
	});

	it("does not depend on at which event the run was aborted: each of them in turn", async () => {
		const plan: Plan = {
			rounds: [
				{ text: ["Let me ", "look."], toolCalls: [{ name: "noisy" }, { name: "quick" }, { name: "broken" }] },
				{ error: Object.assign(new Error("busy"), { statusCode: 503, isRetryable: true }) },
				{ reasoning: "Hm.", toolCalls: [{ name: "talkative", id: "call-1" }] },
				{ text: ["That ", "is ", "all."] },
			],
			maxToolRounds: 4,
		};
		const whole: StreamEvent[] = [];
		const unaborted = robotFor(plan);
		unaborted.on("event", (event) => whole.push(event));
		await runPlan(plan, unaborted);
		const lengths = new Set<number>();
		for (let abortAt = 1; abortAt <= whole.length; abortAt++) {
			const robot = robotFor(plan);
			const events: StreamEvent[] = [];
			robot.on("event", (event) => events.push(event));
			const result = await runPlan({ ...plan, abortAt }, robot);
			expect(result).toBeInstanceOf(RobotResult);
			const prompt = await nextPrompt(robot);
			expectValidHistory(prompt);
			expectNothingInvented(prompt, ["go", "and now?"], saidIn(events));
			lengths.add(prompt.length);
		}
		// nothing, half an answer or a round, two rounds, all of it
		expect([...lengths].sort((one, other) => one - other)).toEqual([1, 3, 4, 5, 6, 7].filter((length) => lengths.has(length)));
		expect(lengths.size).toBeGreaterThanOrEqual(4);
	});
});

describe("a message that nobody answered", () => {
	it.each<[string, ConstructorParameters<typeof ScriptedModel>[0]]>([
		["as the model failed", new Error("no model")],
		["as it failed within the answer", { text: "half", error: new Error("cut") }],
		["as it said nothing", { text: "" }],
	])("leaves no trace where the run ended %s", async (_, rounds) => {
		const robot = new Robot({ name: "bob", model: new ScriptedModel(rounds), retries: 0 });
		await robot.run("go").catch(() => {});
		const prompt = await nextPrompt(robot);
		expectValidHistory(prompt);
		expect(prompt.slice(0, -1).filter(({ role }) => role === "user")).toEqual([]);
	});
});

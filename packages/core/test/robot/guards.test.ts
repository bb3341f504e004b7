import { describe, expect, it, vi } from "vitest";
import { BudgetExceededError } from "../../src/errors/budget-exceeded-error.js";
import { Robot } from "../../src/robot/robot.js";
import type { RobotOptions } from "../../src/robot/robot-options.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedReply, ScriptedRound } from "../../src/testing/scripted-reply.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";
import { expectValidHistory } from "./valid-history.js";

let reads = 0;
const read = createTool({
	name: "read",
	description: "Reads a file.",
	parameters: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
	execute: ({ file }: { readonly file: string }) => {
		reads += 1;
		return `content of ${file}`;
	},
});
const callRead = (file: string, usage?: ScriptedReply["usage"]): ScriptedReply => ({
	toolCalls: [{ name: "read", args: { file } }],
	...(usage !== undefined && { usage }),
});
const tokens = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

function robotWith(rounds: readonly ScriptedRound[], options: Partial<RobotOptions> = {}): { robot: Robot; model: ScriptedModel } {
	reads = 0;
	const model = new ScriptedModel(rounds);
	return { robot: new Robot({ name: "bob", model, localTools: [read], retries: 0, ...options }), model };
}

/** The next run works, on a history that every provider takes. */
async function expectGoesOn(robot: Robot, model: ScriptedModel): Promise<void> {
	expect((await robot.run("and now?")).stopReason).toBe("stop");
	expectValidHistory(model.calls.at(-1)?.prompt ?? []);
}

describe("a run that goes round in circles", () => {
	const again = (count: number): ScriptedReply[] => Array.from({ length: count }, () => callRead("a.txt"));

	it("is warned in the last result at the third equal call, and ends at the sixth without making it", async () => {
		const { robot, model } = robotWith([...again(6), "better"]);
		const events: StreamEvent[] = [];
		robot.on("event", (event) => void events.push(event));
		const { stopReason, toolCalls } = await robot.run("read it");
		expect(stopReason).toBe("doom_loop");
		expect(toolCalls.map(({ content }) => content.includes("Warning"))).toEqual([false, false, true, false, false, false]);
		expect(toolCalls[5]).toMatchObject({ isError: true, content: expect.stringContaining("not run") });
		expect(reads).toBe(5);
		const whole = events.filter(({ event }) => event === "part.completed").map(({ data }) => (data as { result?: string }).result);
		expect(whole.filter((result) => result?.includes("Warning"))).toEqual([toolCalls[2]?.content]);
		expect(events.find(({ event }) => event === "run.interrupted")?.data).toMatchObject({ reason: "doom_loop", stopReason: "doom_loop" });
		assertWholeLog(events);
		await expectGoesOn(robot, model);
	});

	it("is none where the arguments differ", async () => {
		const { robot } = robotWith([...["a", "b", "c", "d", "e", "f", "g"].map((file) => callRead(file)), "done"]);
		expect(await robot.run("read all")).toMatchObject({ stopReason: "stop", lastTextContent: "done" });
		expect(reads).toBe(7);
	});

	it("is found from the number of repetitions that was asked for, and not at all with Infinity", async () => {
		const strict = await robotWith([...again(4)], { doomLoopThreshold: 2 }).robot.run("read it");
		expect(strict.stopReason).toBe("doom_loop");
		const patient = await robotWith([...again(12), "done"], { doomLoopThreshold: Number.POSITIVE_INFINITY }).robot.run("read it");
		expect([patient.stopReason, patient.toolCalls.length]).toEqual(["stop", 12]);
	});

	it("is a matter of one run: the same question asked again is none", async () => {
		const { robot } = robotWith([callRead("a"), callRead("a"), "1", callRead("a"), callRead("a"), "2"]);
		const results = [await robot.run("read"), await robot.run("read")];
		expect(results.flatMap(({ toolCalls }) => toolCalls.map(({ content }) => content))).toEqual(Array(4).fill("content of a"));
	});
});

describe("a robot's budget of tokens", () => {
	it("ends a run between two answers, its calls refused, with what was paid for", async () => {
		const { robot, model } = robotWith([callRead("a", tokens(60, 10)), callRead("b", tokens(90, 10)), "never"], { tokenBudget: 150 });
		const result = await robot.run("read");
		expect(result).toMatchObject({ stopReason: "budget", inputTokens: 150, outputTokens: 20 });
		expect(result.toolCalls.map(({ isError }) => isError)).toEqual([false, true]);
		expect(reads).toBe(1);
		expect(model.calls).toHaveLength(2);
		await expect(robot.run("more")).rejects.toMatchObject({ code: "budget_exceeded", dimension: "tokens", limit: 150, used: 170 });
		robot.resetUsage();
		expect(robot.usage).toEqual({});
	});

	it("never takes away an answer that used more than there was", async () => {
		const { robot } = robotWith([{ text: "paid", usage: tokens(5_000, 5_000) }, "never"], { tokenBudget: 10 });
		expect(await robot.run("x")).toMatchObject({ stopReason: "stop", lastTextContent: "paid" });
		const error = await robot.run("y").catch((reason: unknown) => reason);
		expect(BudgetExceededError.isInstance(error)).toBe(true);
		expect(robot.messages).toHaveLength(2);
	});

	it("is given back by a request that fails", async () => {
		const { robot } = robotWith([new Error("down"), { text: "ok", usage: tokens(1, 1) }], { tokenBudget: 10 });
		await expect(robot.run("x")).rejects.toThrow("down");
		expect((await robot.run("y")).lastTextContent).toBe("ok");
	});

	it("counts what a provider does not report as it was estimated", async () => {
		const { robot } = robotWith([{ text: "free?", usage: null }, "never"], { tokenBudget: 1_000 });
		expect((await robot.run("x")).stopReason).toBe("stop");
		await expect(robot.run("y")).rejects.toMatchObject({ code: "budget_exceeded" });
	});

	it("is shared by runs that overlap: what one has set aside the other cannot spend", async () => {
		const slow: ScriptedReply = { text: "slow", delayMs: 30, usage: tokens(5, 5) };
		const { robot } = robotWith([slow, "never"], { tokenBudget: 100 });
		const [first, second] = await Promise.allSettled([robot.run("a"), robot.run("b")]);
		expect(first).toMatchObject({ status: "fulfilled", value: { lastTextContent: "slow" } });
		expect(second).toMatchObject({ status: "rejected", reason: { code: "budget_exceeded" } });
		expect(robot.usage).toEqual({ promptTokens: 5, completionTokens: 5 });
	});

	it("of another size keeps what was used", async () => {
		const { robot } = robotWith(
			[
				{ text: "a", usage: tokens(50, 50) },
				{ text: "b", usage: tokens(1, 1) },
			],
			{ tokenBudget: 100 },
		);
		await robot.run("x");
		await expect(robot.run("y")).rejects.toMatchObject({ code: "budget_exceeded" });
		expect((await robot.update({ tokenBudget: 101 }).run("y")).lastTextContent).toBe("b");
	});

	it("stays for a run that goes on what it was when that began", async () => {
		const { robot } = robotWith([{ ...callRead("a", tokens(50, 50)), delayMs: 20 }, { text: "done", usage: tokens(50, 50) }, "never"], {
			tokenBudget: 10_000,
			maxTokens: 10,
		});
		const running = robot.run("x");
		await expect(robot.update({ tokenBudget: 1 }).run("y")).rejects.toMatchObject({ code: "budget_exceeded" });
		expect(await running).toMatchObject({ stopReason: "stop", lastTextContent: "done" });
		await expect(robot.update({ tokenBudget: 200 }).run("y")).rejects.toMatchObject({ used: 200 });
	});

	it("that is given late counts what was used before, and what is set aside meanwhile", async () => {
		const slow: ScriptedReply = { text: "slow", delayMs: 30, usage: tokens(5, 5) };
		const { robot } = robotWith([{ text: "a", usage: tokens(50, 50) }, slow, "never"], { maxTokens: 10 });
		await robot.run("x");
		await expect(robot.update({ tokenBudget: 100 }).run("y")).rejects.toMatchObject({ code: "budget_exceeded", used: 100 });
		const running = robot.update({ tokenBudget: 110 }).run("y");
		await expect(robot.run("z")).rejects.toMatchObject({ code: "budget_exceeded" });
		await expect(robot.update({ tokenBudget: 1_000 }).run("z")).resolves.toMatchObject({ stopReason: "stop" });
		await running;
	});
});

describe("resetUsage() while a run goes on", () => {
	it.each([{}, { tokenBudget: 1_000 }])("leaves of that run what it uses afterwards, with %j", async (options) => {
		const reset = createTool({ name: "reset", description: "Begins anew.", execute: () => robot.resetUsage() });
		const rounds = [
			{ toolCalls: [{ name: "reset" }], usage: tokens(500, 100) },
			{ text: "a", usage: tokens(60, 40) },
			{ text: "b", usage: tokens(1, 1) },
		];
		const { robot } = robotWith(rounds, { ...options, localTools: [reset] });
		const { inputTokens } = await robot.run("x");
		expect([inputTokens, robot.usage]).toEqual([560, { promptTokens: 60, completionTokens: 40 }]);
		// the budget counts the same
		await robot.update({ tokenBudget: 102 }).run("y");
		await expect(robot.run("z")).rejects.toMatchObject({ code: "budget_exceeded", used: 102 });
	});

	it("counts what an answer used as it comes, a run that fails later included", async () => {
		const { robot } = robotWith([
			callRead("a", tokens(60, 10)),
			() => {
				expect(robot.usage).toEqual({ promptTokens: 60, completionTokens: 10 });
				return new Error("down");
			},
		]);
		await expect(robot.run("x")).rejects.toThrow("down");
		expect(robot.usage).toEqual({ promptTokens: 60, completionTokens: 10 });
	});
});

describe("a budget that comes while a run goes on without one", () => {
	it("counts what that run uses", async () => {
		const { promise: gate, resolve: open } = Promise.withResolvers<void>();
		const late = async (): Promise<ScriptedRound> => {
			await gate;
			return { text: "a", usage: tokens(60, 40) };
		};
		const { robot, model } = robotWith([late, { text: "b", usage: tokens(1, 1) }, "never"], {});
		const early = robot.run("x");
		await vi.waitFor(() => expect(model.calls).toHaveLength(1));
		await robot.update({ tokenBudget: 100 }).run("y");
		open();
		await early;
		await expect(robot.run("z")).rejects.toMatchObject({ code: "budget_exceeded", used: 102 });
	});
});

describe("a robot's budget of dollars", () => {
	const pricing = { inputPerMillion: 1_000_000, outputPerMillion: 2_000_000 };

	it("counts by prices, which the log and the totals show", async () => {
		const { robot } = robotWith([{ text: "a", usage: tokens(1, 2) }, "never"], { costBudget: 5, pricing });
		const events: StreamEvent[] = [];
		robot.on("event", (event) => void events.push(event));
		await robot.run("x");
		expect(robot.usage).toEqual({ promptTokens: 1, completionTokens: 2, costUsd: 5 });
		expect(events.filter(({ event }) => event === "usage.updated").map(({ data }) => (data as { usage: unknown }).usage)).toMatchObject([
			{ costUsd: 5 },
			{ costUsd: 5 },
		]);
		await expect(robot.run("y")).rejects.toMatchObject({ dimension: "cost", limit: 5 });
	});

	it("is refused where nothing says what tokens cost", () => {
		expect(() => robotWith([], { costBudget: 5 })).toThrow("pricing");
	});
});

describe("a history that grows too long", () => {
	const talk = ["The weather in Berlin is fine today.", "Tomatoes need much sun and water.", "Berlin has snow in the winter."];
	const long = (answers: number): Partial<RobotOptions> => ({ contextWindow: 10 * answers, compactThreshold: 0.5 });

	async function talkedTo(options: Partial<RobotOptions>): Promise<{ robot: Robot; model: ScriptedModel; events: StreamEvent[] }> {
		const { robot, model } = robotWith(
			Array.from({ length: 12 }, (_, index) => `Yes, ${index}.`),
			options,
		);
		const events: StreamEvent[] = [];
		robot.on("event", (event) => void events.push(event));
		for (const message of [...talk, ...talk]) await robot.run(message);
		return { robot, model, events };
	}
	const compactions = (events: readonly StreamEvent[]): number =>
		events.filter(({ event, data }) => event === "metadata.updated" && (data as { type?: string }).type === "compaction").length;

	it("stays as it is by default", async () => {
		const { robot, events } = await talkedTo(long(1));
		expect([robot.messages.length, compactions(events)]).toEqual([12, 0]);
	});

	it("is made shorter before the model is asked, and the log says so", async () => {
		const { robot, model, events } = await talkedTo({ ...long(4), autoCompact: "context_window" });
		expect(compactions(events)).toBeGreaterThan(0);
		expect(robot.messages.length).toBeLessThan(12);
		expectValidHistory(model.calls.at(-1)?.prompt ?? []);
	});

	it("is not touched while there is room", async () => {
		const { robot, events } = await talkedTo({ autoCompact: "context_window" });
		expect([robot.messages.length, compactions(events)]).toEqual([12, 0]);
	});

	it("is what a function of one's own makes of it", async () => {
		const { robot, model } = await talkedTo({ autoCompact: (messages) => messages.slice(-2) });
		expect(robot.messages).toHaveLength(4);
		expect(model.calls.at(-1)?.prompt).toHaveLength(3);
	});

	it("costs no answer where it cannot be made shorter: the run goes on with all of it, and a warning", async () => {
		const autoCompact = (): never => {
			throw new Error("summarizer is down");
		};
		const { robot, events } = await talkedTo({ autoCompact });
		expect(robot.messages).toHaveLength(12);
		expect(events.filter(({ data }) => String((data as { message?: string }).message).includes("summarizer is down"))).toHaveLength(5);
	});

	it("is told of as shorter only where it is: not where the conversation was another by then", async () => {
		const { robot, model } = robotWith(["a", "b", "c"], {
			autoCompact: (messages) => {
				if (messages.length < 4) return messages;
				robot.clearMessages();
				return messages.slice(-2);
			},
		});
		const events: StreamEvent[] = [];
		robot.on("event", (event) => void events.push(event));
		for (const message of ["x", "y", "z"]) await robot.run(message);
		expect([compactions(events), robot.messages.length, model.calls.at(-1)?.prompt.length]).toEqual([0, 2, 3]);
	});

	it("that a function makes into none is the programmer's mistake", async () => {
		const { robot } = robotWith(["a", "b"], { autoCompact: () => [{ type: "text", role: "assistant", content: "x" }] });
		await robot.run("x");
		await expect(robot.run("y")).rejects.toMatchObject({ code: "configuration" });
		expect(robot.messages).toHaveLength(2);
	});
});

describe("what a robot has learned", () => {
	it("is read by the model before each message, and is no part of what was said", async () => {
		const { robot, model } = robotWith(["a", "b"]);
		await robot.learn("  Answer in French.  ");
		await robot.learn("French");
		await robot.run("Hello");
		await robot.run("Bye");
		const asked = model.calls.map(({ prompt }) => prompt.map(({ content }) => (content as { text: string }[])[0]?.text));
		const block = "LEARNINGS FROM PREVIOUS RUNS:\n- Answer in French.\n\n";
		expect(asked).toEqual([[`${block}Hello`], ["Hello", "a", `${block}Bye`]]);
		expect(robot.memory.get("learnings")).toEqual(["Answer in French."]);
	});
});

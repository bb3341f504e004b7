import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { RobotResult } from "../../src/message/robot-result.js";
import { Robot } from "../../src/robot/robot.js";
import type { RunOptions } from "../../src/robot/run-options.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedToolCall } from "../../src/testing/scripted-reply.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool, type ToolDefinition } from "../../src/tool/create-tool.js";
import type { Tool } from "../../src/tool/tool.js";
import { ToolManifest } from "../../src/tool/tool-manifest.js";
import { expectValidHistory } from "../robot/valid-history.js";

type Execute = ToolDefinition<unknown, Record<string, unknown>>["execute"];

const tool = (name: string, execute: Execute, options: Partial<Tool> = {}): Tool =>
	createTool({ name, description: `Is ${name}.`, execute, ...options });

const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
	new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** Lets nobody go on before so many have come. */
function meeting(guests: number): () => Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	let come = 0;
	return () => {
		if (++come === guests) resolve();
		return promise;
	};
}

interface Round {
	readonly robot: Robot;
	readonly model: ScriptedModel;
	readonly events: StreamEvent[];
	run(options?: RunOptions): Promise<RobotResult>;
}

/** A robot whose model makes one round of calls, of each tool or as told, and then answers. */
function round(tools: readonly Tool[], calls: readonly ScriptedToolCall[] = tools.map(({ name }) => ({ name }))): Round {
	const model = new ScriptedModel([{ toolCalls: calls }, "Done.", "Going on."]);
	const robot = new Robot({ name: "bob", model, localTools: new ToolManifest(tools) });
	const events: StreamEvent[] = [];
	robot.on("event", (event) => events.push(event));
	return { robot, model, events, run: (options) => robot.run("Do it.", options) };
}

const told = (result: RobotResult): readonly (readonly [string, string, boolean])[] =>
	result.toolCalls.map(({ tool: { name }, content, isError }) => [name, content, isError]);

const deadline = "Error (timed out): the tool was given 20 ms and did not end in that time";

describe("The calls of one round", () => {
	it("are made side by side and told in the order of the reply, whatever becomes of each", async () => {
		const meet = meeting(4);
		const ended: string[] = [];
		const end = (name: string) => ended.push(name) && name;
		const slow = tool("slow", async () => {
			await meet();
			await new Promise((resolve) => setTimeout(resolve, 60));
			return end("slow");
		});
		const stuck = tool(
			"stuck",
			(_, { signal }) =>
				meet()
					.then(() => untilAborted(signal))
					.finally(() => end("stuck")),
			{ timeoutMs: 20 },
		);
		const broken = tool("broken", async () => {
			await meet();
			end("broken");
			throw new Error("no disk");
		});
		const quick = tool("quick", async () => {
			await meet();
			return end("quick");
		});
		const { run, model, events } = round(
			[slow, stuck, broken, quick],
			["slow", "stuck", "unknown", "broken", "quick"].map((name) => ({ name })),
		);
		const result = await run();
		expect(told(result)).toEqual([
			["slow", "slow", false],
			["stuck", deadline, true],
			["unknown", 'Error (unknown tool): there is no tool "unknown". Available: slow, stuck, broken, quick', true],
			["broken", "Error (broken): no disk", true],
			["quick", "quick", false],
		]);
		expect(ended).toEqual(["broken", "quick", "stuck", "slow"]);
		expect(result.lastTextContent).toBe("Done.");
		expectValidHistory(model.calls[1]?.prompt ?? []);
		assertWholeLog(events);
		const codes = events.flatMap(({ event, data }) => (event === "part.failed" ? [(data.error as { code: string }).code] : []));
		expect(codes.toSorted()).toEqual(["timed_out", "tool_failed", "tool_failed"]);
	});

	it("of one tool have their arguments and their deadlines each for itself", async () => {
		const meet = meeting(3);
		const count = createTool({
			name: "count",
			description: "Counts, or does not.",
			timeoutMs: 20,
			parameters: z.object({ to: z.number() }),
			execute: async ({ to }, { signal }) => {
				await meet();
				return to < 0 ? untilAborted(signal) : to;
			},
		});
		const { run } = round(
			[count],
			[1, -1, 3].map((to) => ({ name: "count", args: { to } })),
		);
		expect(told(await run())).toEqual([
			["count", "1", false],
			["count", deadline, true],
			["count", "3", false],
		]);
	});
});

describe("A tool with raiseOnError in a run", () => {
	const broken = new Error("the database is gone");
	const raising = (name = "raising", error = broken): Tool => tool(name, () => Promise.reject(error), { raiseOnError: true });

	it("ends the run with the very error, once every other call of the round has ended", async () => {
		let ended = false;
		const slow = tool("slow", async () => {
			await new Promise((resolve) => setTimeout(resolve, 40));
			ended = true;
			return "slow";
		});
		const { robot, model, run, events } = round([raising(), slow]);
		await expect(run()).rejects.toBe(broken);
		expect(ended).toBe(true);
		assertWholeLog(events);
		expect(events.find(({ event }) => event === "run.failed")?.data).toMatchObject({ error: { message: "the database is gone" } });

		expect((await robot.run("Go on.")).lastTextContent).toBe("Done.");
		const prompt = model.calls[1]?.prompt ?? [];
		expectValidHistory(prompt);
		expect(prompt.flatMap((message) => (message.role === "tool" ? message.content : []))).toMatchObject([
			{ toolName: "raising", output: { type: "error-text", value: "Error (raising): the database is gone" } },
			{ toolName: "slow", output: { type: "text", value: "slow" } },
		]);
	});

	it("ends it with the first error in the order of the calls", async () => {
		const later = tool("later", (_, { signal }) => untilAborted(signal), { raiseOnError: true, timeoutMs: 20 });
		await expect(round([later, raising()]).run()).rejects.toMatchObject({ name: "TimeoutError" });
		await expect(round([raising(), later]).run()).rejects.toBe(broken);
	});

	it("does not end it for arguments that are wrong", async () => {
		const { run } = round(
			[raising()],
			[
				{ name: "raising", args: { extra: 1 } },
				{ name: "raising", input: "{" },
			],
		);
		expect((await run()).stopReason).toBe("stop");
	});
});

describe("An abort in the middle of a round", () => {
	it("ends the run as aborted, not with what a tool throws because of it, and every call has its result", async () => {
		const controller = new AbortController();
		const meet = meeting(3);
		const heeding = tool("heeding", (_, { signal }) => meet().then(() => untilAborted(signal)), { raiseOnError: true, timeoutMs: 60_000 });
		const quick = tool("quick", async () => {
			await meet();
			return "quick";
		});
		const aborting = tool("aborting", async (_, { signal }) => {
			await meet();
			setImmediate(() => controller.abort(new Error("enough")));
			return untilAborted(signal);
		});
		const { robot, model, run, events } = round([heeding, quick, aborting]);
		const result = await run({ signal: controller.signal });
		expect(result.stopReason).toBe("aborted");
		expect(told(result)).toEqual([
			["heeding", "Error (heeding): enough", true],
			["quick", "quick", false],
			["aborting", "Error (aborting): enough", true],
		]);
		assertWholeLog(events);
		await robot.run("Go on.");
		expectValidHistory(model.calls.at(-1)?.prompt ?? []);
	});
});

describe("A robot that a tool runs beneath its call", () => {
	it("is stopped when the tool's time is up", async () => {
		const inner = new Robot({ name: "inner", model: new ScriptedModel({ text: "thinking", hang: true }) });
		const stops: (string | undefined)[] = [];
		const ask = tool(
			"ask",
			async (_, { run }) => {
				const answer = await inner.run("Think.", run && { parent: run });
				stops.push(answer.stopReason);
				throw new Error("it did not answer");
			},
			{ timeoutMs: 20 },
		);
		expect(told(await round([ask]).run())).toEqual([["ask", deadline, true]]);
		expect(stops).toEqual(["aborted"]);
	});
});

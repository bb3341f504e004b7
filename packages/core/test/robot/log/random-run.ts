import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import fc from "fast-check";
import { Robot } from "../../../src/robot/robot.js";
import type { RunOptions } from "../../../src/robot/run-options.js";
import { ScriptedModel } from "../../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../../src/testing/scripted-reply.js";
import { createTool } from "../../../src/tool/create-tool.js";
import type { Tool } from "../../../src/tool/tool.js";

/** What a run is made to go through. */
export interface Plan {
	readonly rounds: readonly ScriptedRound[];
	/** The plan of the robot that the tool `ask` runs, if it calls one. */
	readonly beneath?: Plan;
	/** Abort at the event of this number. */
	readonly abortAt?: number;
	readonly maxToolRounds: number;
}

const apiError = (statusCode: number): Error =>
	Object.assign(new Error(`status ${statusCode}`), { statusCode, isRetryable: statusCode >= 429 });

const deltas = fc.array(fc.string({ unit: "binary", maxLength: 4 }), { maxLength: 5 });

/** Parts as gateways send them: ids used again, ends missing, calls without an id, arguments that come in pieces or never whole. */
const oddParts: fc.Arbitrary<LanguageModelV4StreamPart[]> = fc.array(
	fc.oneof(
		fc.constantFrom("text-start", "text-end", "reasoning-start", "reasoning-end").map((type) => ({ type, id: "b" })),
		deltas.map((texts) => ({ type: "text-delta", id: "b", delta: texts.join("") })),
		deltas.map((texts) => ({ type: "reasoning-delta", id: "b", delta: texts.join("") })),
		fc.constantFrom("a", "b").map((id) => ({ type: "tool-input-start", id, toolName: "quick" })),
		fc.constantFrom("a", "b").map((id) => ({ type: "tool-input-delta", id, delta: '{"n"' })),
		fc.constantFrom("a", "b", "").map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "quick", input: "{}" })),
		fc.constant({ type: "tool-call", toolCallId: "s", toolName: "search", input: "{}", providerExecuted: true }),
		fc.constantFrom("s", "t").map((toolCallId) => ({ type: "tool-result", toolCallId, toolName: "search", result: { hits: 1 } })),
		fc.constant({ type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1, 2, 3]) } }),
		fc.constant({ type: "ping" }),
	) as fc.Arbitrary<LanguageModelV4StreamPart>,
	{ maxLength: 8 },
);

const toolNames = fc.constantFrom("quick", "broken", "noisy", "talkative", "careless", "ask", "forget", "nobody");

/** Some providers give no ids, some count from 0 in every answer. */
const calls = fc.record({ name: toolNames, id: fc.constantFrom("call_0", "call_1") }, { requiredKeys: ["name"] });

const round: fc.Arbitrary<ScriptedRound> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			text: deltas,
			toolCalls: fc.array(calls, { minLength: 1, maxLength: 3 }),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ reasoning: fc.string(), text: deltas }) },
	{
		weight: 2,
		arbitrary: fc.record({
			parts: oddParts,
			finishReason: fc.constantFrom("stop", "length", "content-filter", "error", "other", "tool-calls", null),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			text: deltas,
			toolCalls: fc.constant([{ name: "quick", input: '{"cut' }]),
			finishReason: fc.constantFrom("stop", null),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ toolCalls: fc.array(calls, { maxLength: 2 }), error: fc.constantFrom(apiError(400), apiError(429)) }),
	},
	{ weight: 1, arbitrary: fc.record({ text: deltas, error: fc.constantFrom(apiError(400), apiError(500)) }) },
	{ weight: 1, arbitrary: fc.constantFrom<ScriptedRound>(apiError(400), apiError(503)) },
) as fc.Arbitrary<ScriptedRound>;

/** Plans of runs, some with runs beneath. Every list of rounds ends with an answer, most never get there. */
export const plans: fc.Arbitrary<Plan> = fc.letrec<{ plan: Plan }>((tie) => ({
	plan: fc.record(
		{
			rounds: fc.array(round, { maxLength: 4 }).map((rounds) => [...rounds, "the end"]),
			maxToolRounds: fc.integer({ min: 0, max: 4 }),
			abortAt: fc.integer({ min: 1, max: 40 }),
			beneath: fc.oneof(
				{ depthSize: "small", withCrossShrink: true },
				fc.constant(undefined) as unknown as fc.Arbitrary<Plan>,
				tie("plan"),
			),
		},
		{ requiredKeys: ["rounds", "maxToolRounds"] },
	) as fc.Arbitrary<Plan>,
})).plan;

/** A robot that goes through a plan: no clock, no randomness, so that it goes the same way each time. */
export function robotFor(plan: Plan, options: object = {}): Robot {
	const model = new ScriptedModel(plan.rounds);
	return new Robot({
		name: "planned",
		model,
		localTools: tools(plan),
		retries: { sleep: async () => {}, random: () => 0.5, maxRetries: 1 },
		maxToolRounds: plan.maxToolRounds,
		...options,
	});
}

/** Runs it as planned, and resolves however it ended. */
export async function runPlan(plan: Plan, robot: Robot, options: RunOptions = {}): Promise<unknown> {
	const controller = new AbortController();
	let events = 0;
	robot.on("event", () => ++events === plan.abortAt && controller.abort());
	return robot.run("go", { signal: controller.signal, ...options }).catch((error: unknown) => error);
}

function tools({ beneath }: Plan): Tool[] {
	const tool = (name: string, execute: Parameters<typeof createTool>[0]["execute"]): Tool =>
		createTool({ name, description: name, execute });
	return [
		tool("quick", async () => "done"),
		tool("broken", () => {
			throw new Error("no disk");
		}),
		tool("noisy", async (_, { onOutput, onLifecycle }) => {
			onLifecycle?.("sandbox_boot", { grant: {} });
			onLifecycle?.("command_start", { pid: 1 });
			for (const chunk of ["one\n", "", "two\n"]) {
				onOutput?.(chunk, chunk === "" ? "stderr" : "stdout");
				await null;
			}
			onLifecycle?.("command_complete", { exitCode: 0 });
			return "printed";
		}),
		tool("talkative", async (_, { run }) => {
			run?.publish("weather.changed", { degrees: 20 });
			const plan = run?.part({ type: "data", name: "plan" });
			plan?.delta(JSON.stringify([{ content: "rest", status: "pending", priority: "low" }]));
			plan?.complete();
			expectRefused(() => run?.publish("run.completed"));
			return "said";
		}),
		// leaves a part open, and goes on publishing when the run is long over
		tool("careless", async (_, { run, onOutput }) => {
			const part = run?.part({ type: "text" });
			part?.delta("half a");
			void Promise.resolve()
				.then(() => new Promise((resolve) => setImmediate(resolve)))
				.then(() => {
					part?.delta(" late word");
					onOutput?.("late output", "stdout");
					run?.publish("late.event");
					run?.part({ type: "text" }).delta("later still");
				});
			return "left";
		}),
		tool("ask", async (_, { run, signal }) => {
			if (beneath === undefined) return "nobody to ask";
			const robot = robotFor(beneath);
			const options = { ...(run && { parent: run }), ...(signal && { signal }) };
			const result = await robot.run("go beneath", options);
			return result.lastTextContent ?? "nothing";
		}),
		// begins a run beneath its robot's, and waits for nothing
		tool("forget", async (_, { run }) => {
			if (beneath !== undefined && run !== undefined)
				void robotFor(beneath)
					.run("go on", { parent: run })
					.catch(() => {});
			return "forgotten";
		}),
	];
}

function expectRefused(publish: () => unknown): void {
	try {
		publish();
	} catch {
		return;
	}
	throw new Error("a tool could end its robot's run");
}

import { randomUUID } from "node:crypto";
import { ConfigurationError } from "../errors/configuration-error.js";
import { InferenceError } from "../errors/inference-error.js";
import { NetworkError } from "../errors/network-error.js";
import { Memory } from "../memory/memory.js";
import { assistantText } from "../message/message.js";
import { RobotResult } from "../message/robot-result.js";
import type { StopReason } from "../message/stop-reason.js";
import { type Deferred, deferred } from "../process/deferred.js";
import type { Delegate } from "../robot/delegation-future.js";
import { Robot } from "../robot/robot.js";
import type { RunOptions } from "../robot/run-options.js";
import { createTool } from "../tool/create-tool.js";
import { ScriptedModel } from "./scripted-model.js";

/**
 * The robots with which `describeTaskRunner` tests a runner: they have to be there wherever it runs tasks, by these names, and all of one call together.
 */
export function taskRunnerRobots(): readonly Delegate[] {
	const runs = new Map<string, number>();
	const count = (message: string): number => {
		runs.set(message, (runs.get(message) ?? 0) + 1);
		return runs.get(message) as number;
	};
	const gates = new Map<string, Deferred<void>>();
	const gate = (message: string): Deferred<void> => {
		const known = gates.get(message) ?? deferred<void>();
		gates.set(message, known);
		return known;
	};
	return [
		robotThat("echo", (message, { context, tools, mcp, inherited }) =>
			JSON.stringify({ message, context, tools, mcp, ...said(inherited) }),
		),
		robotThat("counter", (message) => `${count(message)}`),
		// waits for the opener to be told the same
		robotThat("waiter", async (message) => {
			const ran = count(message);
			await gate(message).promise;
			return `${ran}`;
		}),
		robotThat("opener", (message) => {
			gate(message).resolve();
			return "open";
		}),
		robotThat("failing", (message) => {
			throw FAILURES[message]?.() ?? new Error(`failed ${count(`failing ${message}`)} times`);
		}),
		{
			name: "throwing",
			run: () => {
				throw new InferenceError("it throws instead of rejecting");
			},
		},
		robotThat("obedient", (_message, { signal }) => stopped(signal)),
		robotThat("deaf", () => new Promise(() => {})),
		robotThat("junk", (message) => (message === "a function" ? () => {} : message === "itself" ? holdingItself() : JSON.parse(message))),
		robotThat("knowing", (_message, { memory }) => String(memory instanceof Memory ? memory.get("secret") : undefined)),
		{ name: "talker", run: (message, options) => talker().run(message, options) },
		robotThat("publisher", (_message, { parent }) => {
			parent?.publish("lab.noted", { at: 7 });
			parent?.part({ type: "data", name: "plan" }).complete();
			return "published";
		}),
	];
}

/** What the robot "failing" fails with, by its message. */
const FAILURES: Readonly<Record<string, () => unknown>> = {
	inference: () =>
		new InferenceError("the model is busy", { attempts: 3, statusCode: 529, isRetryable: true, cause: new Error("socket hang up") }),
	configuration: () => new ConfigurationError("an option is wrong", { code: "odd" }),
	network: () => new NetworkError("cycle", "lab", "tasks wait for each other", ["a", "b", "a"]),
	other: () => Object.assign(new TypeError("not a function"), { code: "ERR_X", detail: { line: 7 } }),
	text: () => "just text",
	nothing: () => ({}),
};

const robotThat = (name: string, run: (message: string, options: RunOptions) => unknown): Delegate => ({
	name,
	run: async (message, options = {}) => {
		const answer = await run(message, options);
		return typeof answer === "string" ? saying(name, answer) : (answer as RobotResult);
	},
});

const saying = (robotName: string, text: string, stopReason: StopReason = "stop"): RobotResult =>
	new RobotResult({
		id: randomUUID(),
		robotName,
		output: [assistantText(text)],
		toolCalls: [],
		stopReason,
		createdAt: new Date(),
		inputTokens: 7,
		durationMs: 1.5,
	});

/** What counts of that: the task and the network may say more of themselves. */
const said = (inherited: RunOptions["inherited"]): object => ({
	task: { tools: inherited?.task?.tools, mcp: inherited?.task?.mcp },
	network: { tools: inherited?.network?.tools, mcp: inherited?.network?.mcp },
});

async function stopped(signal = new AbortController().signal): Promise<RobotResult> {
	const { promise, resolve } = deferred<void>();
	if (signal.aborted) resolve();
	else signal.addEventListener("abort", () => resolve(), { once: true });
	await promise;
	return saying("obedient", signal.reason.name, "aborted");
}

function holdingItself(): object {
	const itself: Record<string, unknown> = {};
	itself.itself = itself;
	return itself;
}

/** A robot of ours, with everything that a log tells of: it calls a tool, which tells of itself, and answers. */
function talker(): Robot {
	const look = createTool({
		name: "look",
		description: "Looks around",
		parameters: { type: "object" },
		execute: (_input, { run }) => {
			run?.publish("lab.looked", { far: true });
			const inner = run?.begin({ name: "eyes", scope: "tool" });
			inner?.part({ type: "text" }).complete();
			inner?.end({ event: "run.completed" });
			return "a door";
		},
	});
	const model = new ScriptedModel([
		{ reasoning: "Let me see.", text: "I look.", toolCalls: [{ name: "look", args: {}, id: "call-1" }] },
		{ text: ["There is ", "a door."] },
	]);
	return new Robot({ name: "talker", model, localTools: [look] });
}

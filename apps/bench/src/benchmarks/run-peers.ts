import type { AgentTool } from "@earendil-works/pi-agent-core";
import { createTool, Robot } from "@robot-lab/core";
import { jsonSchema, stepCountIs, streamText, tool } from "ai";
import type { Benchmark } from "../benchmark.js";
import { bareLoop, callReply, cannedModel, type Part, textReply } from "./canned-model.js";
import { piAgentOver } from "./pi-agent.js";
import { fresh, times } from "./repeated-runs.js";

const TOOL_ROUNDS = 10;
const BASELINE = "bare doStream loop";

interface Numbers {
	readonly a: number;
	readonly b: number;
}

const parameters = {
	type: "object" as const,
	properties: { a: { type: "number" as const }, b: { type: "number" as const } },
	required: ["a", "b"],
};
const description = "Adds two numbers.";
let sums = 0;
const sum = ({ a, b }: Numbers): number => {
	sums += 1;
	return a + b;
};

const toolRounds = Array.from({ length: TOOL_ROUNDS }, (_, round) => callReply(`call-${round}`, "add", { a: round, b: 1 }));

/** What one run, and one round of a tool call, costs here and elsewhere, on the same model. */
export const runPeers: readonly Benchmark[] = [
	peers("run-text1-peers", "200 runs that answer with one delta, beside pi-agent-core and ai", 200, [textReply(1)], {
		name: "run",
		each: 1,
	}),
	peers("run-tools10-peers", `20 runs of ${TOOL_ROUNDS} tool rounds, beside pi-agent-core and ai`, 20, [...toolRounds, textReply(1)], {
		name: "tool round",
		each: TOOL_ROUNDS,
	}),
];

function peers(
	name: string,
	question: string,
	runs: number,
	replies: readonly (readonly Part[])[],
	unit: { readonly name: string; readonly each: number },
): Benchmark {
	return {
		name,
		question,
		rounds: 60,
		baseline: BASELINE,
		unit: { name: unit.name, perSample: runs * unit.each },
		prepare: async () => ({ cases: casesOf(runs, replies, unit.name === "run" ? 0 : runs * unit.each) }),
	};
}

function casesOf(runs: number, replies: readonly (readonly Part[])[], calls: number): Record<string, () => Promise<void>> {
	const ways: Record<string, () => Promise<unknown>> = { [BASELINE]: bare(replies), "Robot.run": robot(replies), ...others(replies) };
	return Object.fromEntries(Object.entries(ways).map(([way, run]) => [way, () => counted(way, calls, () => times(runs, run))]));
}

/** Whoever makes no calls is fast, and worth nothing. */
async function counted(way: string, calls: number, run: () => Promise<void>): Promise<void> {
	sums = 0;
	await run();
	if (sums !== calls) throw new Error(`${way} made ${sums} calls instead of ${calls}`);
}

function bare(replies: readonly (readonly Part[])[]): () => Promise<unknown> {
	const model = cannedModel(replies);
	return () => bareLoop(model, { tools: { add: sum } });
}

function robot(replies: readonly (readonly Part[])[]): () => Promise<unknown> {
	const add = createTool({ name: "add", description, parameters, execute: sum });
	const own = new Robot({ name: "bench", model: cannedModel(replies), localTools: [add] });
	return () => fresh(own).run("go");
}

function others(replies: readonly (readonly Part[])[]): Record<string, () => Promise<unknown>> {
	const piTool: AgentTool = {
		name: "add",
		label: "add",
		description,
		parameters,
		execute: async (_, args) => ({ content: [{ type: "text", text: String(sum(args as Numbers)) }], details: undefined }),
	};
	const pi = piAgentOver(cannedModel(replies), [piTool]);
	const model = cannedModel(replies);
	const add = tool({ description, inputSchema: jsonSchema<Numbers>(parameters), execute: async (args) => sum(args) });
	return {
		"pi-agent-core": () => {
			pi.reset();
			return pi.prompt("go");
		},
		"ai, streamText": async () => streamText({ model, prompt: "go", tools: { add }, stopWhen: stepCountIs(20) }).text,
	};
}

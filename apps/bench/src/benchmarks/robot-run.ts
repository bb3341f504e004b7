import { createTool, Robot } from "@robot-lab/core";
import type { Benchmark } from "../benchmark.js";
import { bareLoop, callReply, cannedModel, type Part, textReply } from "./canned-model.js";
import { fresh, times } from "./repeated-runs.js";

/** A run takes microseconds; a sample is this many. */
const RUNS = 500;
const TOOL_ROUNDS = 10;
const BASELINE = "bare doStream loop";

const add = createTool({
	name: "add",
	description: "Adds two numbers.",
	parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
	execute: ({ a, b }: { readonly a: number; readonly b: number }) => a + b,
});

const toolRounds = Array.from({ length: TOOL_ROUNDS }, (_, round) => callReply(`call-${round}`, "add", { a: round, b: 1 }));

/** What a robot adds to the reading of a model's stream, which is what the model's own provider package costs at least. */
export const robotBenchmarks: readonly Benchmark[] = [
	robotBenchmark("robot-text1", `${RUNS} runs that answer with one delta`, RUNS, [textReply(1)]),
	robotBenchmark("robot-deltas1000", "10 runs that answer with 1,000 deltas", 10, [textReply(1_000)]),
	robotBenchmark("robot-tools10", `50 runs of ${TOOL_ROUNDS} tool rounds`, 50, [...toolRounds, textReply(1)]),
];

function robotBenchmark(name: string, question: string, runs: number, replies: readonly (readonly Part[])[]): Benchmark {
	return { name, question, rounds: 60, baseline: BASELINE, prepare: async () => ({ cases: casesOf(runs, replies) }) };
}

function casesOf(runs: number, replies: readonly (readonly Part[])[]): Record<string, () => Promise<void>> {
	const bare = cannedModel(replies);
	const plain = new Robot({ name: "bench", model: cannedModel(replies), localTools: [add] });
	const watched = new Robot({ name: "bench", model: cannedModel(replies), localTools: [add] });
	const signal = new AbortController().signal;
	let heard = 0;
	watched.on("event", () => heard++);
	return {
		[BASELINE]: () => times(runs, () => bareLoop(bare, { tools: { add: ({ a, b }: { a: number; b: number }) => a + b } })),
		"Robot.run": () => times(runs, () => fresh(plain).run("go")),
		"Robot.run, watched and abortable": () => times(runs, () => fresh(watched).run("go", { signal })),
	};
}

import { Robot } from "@robot-lab/core";
import { streamText } from "ai";
import type { Benchmark } from "../benchmark.js";
import { bareLoop, cannedModel, textReply } from "./canned-model.js";
import { piAgent, piAgentOver } from "./pi-agent.js";
import { counters, fresh, times } from "./repeated-runs.js";

const DELTAS = 1_000;
const RUNS = 10;
const BASELINE = "bare doStream loop";

/** What others make of the same stream. */
export const robotPeers: Benchmark = {
	name: "robot-deltas1000-peers",
	question: `${RUNS} runs that answer with ${DELTAS} deltas, beside pi-agent-core and ai`,
	rounds: 100,
	baseline: BASELINE,
	unit: { name: "delta", perSample: RUNS * DELTAS },
	prepare: async () => ({ cases: { ...ownCases(), ...piCases(), "ai, streamText": aiCase() } }),
};

function ownCases(): Record<string, () => Promise<void>> {
	const bare = newModel();
	const plain = robot();
	const watched = robot();
	const streamed = robot();
	const kept = robot();
	const { listeners, heard } = counters(3);
	for (const listener of listeners) watched.on("event", listener);
	return {
		[BASELINE]: () => times(RUNS, () => bareLoop(bare)),
		"Robot.run": () => times(RUNS, () => fresh(plain).run("go")),
		"Robot.run, three listeners": () => toldAll(heard, () => times(RUNS, () => fresh(watched).run("go"))),
		"robot.stream(), its last 1,024 events kept, never read": () => times(RUNS, () => fresh(kept).stream("go").result),
		"robot.stream(), iterated": () => times(RUNS, () => iterated(fresh(streamed))),
	};
}

function piCases(): Record<string, () => Promise<void>> {
	const own = piAgent(DELTAS);
	const over = piAgentOver(newModel());
	const ownWatched = piAgent(DELTAS);
	const overWatched = piAgentOver(newModel());
	const { listeners, heard } = counters(3);
	for (const watched of [ownWatched, overWatched]) for (const listener of listeners) watched.subscribe(listener);
	const prompted = (agent: typeof own): Promise<void> => {
		agent.reset();
		return agent.prompt("go");
	};
	return {
		"pi-agent-core, a model of its own": () => times(RUNS, () => prompted(own)),
		"pi-agent-core, a model of its own, three listeners": () => toldAll(heard, () => times(RUNS, () => prompted(ownWatched))),
		"pi-agent-core, the same model": () => times(RUNS, () => prompted(over)),
		"pi-agent-core, the same model, three listeners": () => toldAll(heard, () => times(RUNS, () => prompted(overWatched))),
	};
}

function aiCase(): () => Promise<void> {
	const model = newModel();
	return () => times(RUNS, async () => streamText({ model, prompt: "go" }).text);
}

/** A case in which nobody was told anything would be fast, and worth nothing. */
async function toldAll(heard: () => number, run: () => Promise<void>): Promise<void> {
	await run();
	const count = heard();
	if (count < 3 * RUNS * DELTAS) throw new Error(`Three listeners heard ${count} events of ${RUNS} runs with ${DELTAS} deltas`);
}

async function iterated(own: Robot): Promise<void> {
	let deltas = 0;
	for await (const { event } of own.stream("go")) if (event === "text.delta") deltas++;
	if (deltas !== DELTAS) throw new Error(`Only ${deltas} of ${DELTAS} deltas were read`);
}

const newModel = (): ReturnType<typeof cannedModel> => cannedModel([textReply(DELTAS)]);

const robot = (): Robot => new Robot({ name: "bench", model: newModel() });

import { EventLog, Robot, StreamContext } from "@robot-lab/core";
import type { Benchmark } from "../benchmark.js";
import { bareLoop, cannedModel, textReply } from "./canned-model.js";
import { counters, fresh, times } from "./repeated-runs.js";

const DELTAS = 1_000;
const RUNS = 10;
const unit = { name: "delta", perSample: RUNS * DELTAS };
const DIRECT = "three functions called directly";

/** What it costs that listeners are told of a delta instead of being called with it: within a run, and by the log alone. */
export const deltaListeners: readonly Benchmark[] = [
	{
		name: "delta-listeners",
		question: `${RUNS} runs that answer with ${DELTAS} deltas, told to three listeners`,
		rounds: 100,
		baseline: DIRECT,
		unit,
		prepare: async () => ({ cases: runCases() }),
	},
	{
		name: "delta-log",
		question: `${RUNS * DELTAS} deltas published without any run`,
		rounds: 100,
		baseline: DIRECT,
		unit,
		prepare: async () => ({ cases: logCases() }),
	},
];

function runCases(): Record<string, () => Promise<void>> {
	const bare = newModel();
	const { listeners, heard } = counters(3);
	const [first, second, third] = listeners;
	const nobody = new Robot({ name: "bench", model: newModel() });
	const events = new Robot({ name: "bench", model: newModel() });
	for (const listener of listeners) events.on("event", listener);
	const mixed = new Robot({ name: "bench", model: newModel(), ...(third && { onContent: third }) });
	if (first) mixed.on("event", first);
	if (second) mixed.on("content", second);
	const toldAll = async (run: () => Promise<unknown>): Promise<void> => {
		await times(RUNS, run);
		expectHeard(heard());
	};
	return {
		[DIRECT]: () => toldAll(() => bareLoop(bare, { listeners })),
		"Robot.run, nobody listens": () => times(RUNS, () => fresh(nobody).run("go")),
		'Robot.run, on("event") three times': () => toldAll(() => fresh(events).run("go")),
		'Robot.run, on("event"), on("content") and onContent': () => toldAll(() => fresh(mixed).run("go")),
	};
}

function logCases(): Record<string, () => Promise<void>> {
	const { listeners, heard } = counters(3);
	const direct = async (): Promise<void> => {
		for (let i = 0; i < RUNS * DELTAS; i++) for (const tell of listeners) tell();
		expectHeard(heard());
	};
	return {
		[DIRECT]: direct,
		"a log that keeps nothing": async () => publishDeltas(new EventLog({ history: 0 })),
		"a log that keeps its last 1,024": async () => publishDeltas(new EventLog()),
		"a log that keeps nothing, three listeners": async () => {
			const log = new EventLog({ history: 0 });
			for (const listener of listeners) log.subscribe(listener);
			publishDeltas(log);
			expectHeard(heard());
		},
	};
}

function publishDeltas(log: EventLog): void {
	const context = new StreamContext({ runId: "run", messageId: "message", scope: "robot", publish: log.publish });
	for (let i = 0; i < RUNS * DELTAS; i++) context.publishEvent({ event: "text.delta", data: { partId: "part", delta: "word " } });
}

/** A case in which nobody was told anything would be fast, and worth nothing. */
function expectHeard(count: number): void {
	if (count < 3 * RUNS * DELTAS) throw new Error(`Three listeners heard ${count} times of ${RUNS * DELTAS} deltas`);
}

const newModel = (): ReturnType<typeof cannedModel> => cannedModel([textReply(DELTAS)]);

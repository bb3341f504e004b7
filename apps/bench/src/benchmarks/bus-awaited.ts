import { MessageBus } from "@robot-lab/core";
import type { Benchmark } from "../benchmark.js";
import { counters } from "./repeated-runs.js";

const DELIVERIES = 100_000;
const DIRECT = "each handler awaited directly";

/** What a message costs that a handler is awaited for, beside awaiting the handler. */
export const busAwaited: readonly Benchmark[] = [
	awaited("bus-awaited-1", `${DELIVERIES} messages to one handler`, 1),
	awaited("bus-awaited-100", `${DELIVERIES / 100} messages to a hundred handlers each`, 100),
];

function awaited(name: string, question: string, handlers: number): Benchmark {
	return {
		name,
		question: `${question}, which are awaited and do nothing`,
		rounds: 20,
		baseline: DIRECT,
		clock: "cpu",
		unit: { name: "delivery", perSample: DELIVERIES },
		prepare: async () => casesOf(handlers),
	};
}

async function casesOf(handlers: number): Promise<Awaited<ReturnType<Benchmark["prepare"]>>> {
	const { listeners, heard } = counters(handlers);
	const messages = DELIVERIES / handlers;
	const bus = new MessageBus();
	const sender = bus.join("sender");
	for (const listener of listeners) bus.join("reader").onMessage(async () => listener());
	const ways: Record<string, () => Promise<void>> = {
		[DIRECT]: async () => {
			const direct = listeners.map((listener) => async (_message: { readonly content: number }) => listener());
			for (let content = 0; content < messages; content++) for (const handle of direct) await handle({ content });
		},
		"MessageBus, each send awaited": async () => {
			for (let content = 0; content < messages; content++) await sender.sendMessage({ to: "reader", content });
			await bus.idle();
		},
	};
	const cases = Object.entries(ways).map(([way, run]) => [
		way,
		async () => {
			await run();
			const handled = heard();
			if (handled !== DELIVERIES || bus.deadLetters.size > 0) throw new Error(`${way}: ${handled} of ${DELIVERIES} messages were handled`);
		},
	]);
	return { cases: Object.fromEntries(cases), dispose: () => void bus.close() };
}

// The robots of worker-threads.ts, in a thread that it starts as often as it needs one.
import { threadId, workerData } from "node:worker_threads";
import { createTool, Robot } from "@robot-lab/core";
import { ScriptedModel, type ScriptedRound } from "@robot-lab/core/testing";
import { serveTasks } from "@robot-lab/core/threads";
import * as z from "zod";
import { asked } from "./asked.js";

const { shared, together } = workerData as { readonly shared: SharedArrayBuffer; readonly together: number };
const cells = new Int32Array(shared);
const [ARRIVED, GATE, CRASHES] = [0, 1, 2];

const countPrimes = createTool({
	name: "count_primes",
	description: "Counts the prime numbers of a range.",
	parameters: z.object({ from: z.int(), to: z.int() }),
	execute: ({ from, to }) => {
		// Blocks its thread until so many others are blocked: on one thread nobody would ever come second.
		if (Atomics.add(cells, ARRIVED, 1) + 1 === together) {
			Atomics.store(cells, GATE, 1);
			Atomics.notify(cells, GATE);
		} else if (Atomics.wait(cells, GATE, 0, 60_000) === "timed-out") throw new Error("the others never came");
		let primes = 0;
		for (let n = Math.max(from, 2); n < to; n++) if (isPrime(n)) primes += 1;
		return { primes, thread: threadId };
	},
});

function isPrime(n: number): boolean {
	for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
	return true;
}

const crashOnce = createTool({
	name: "crash_once",
	description: "Ends its thread, the first time.",
	execute: () => (Atomics.add(cells, CRASHES, 1) === 0 ? process.exit(7) : "still here"),
});

// what real models would say: any of the three threads may be asked
const counts: ScriptedRound = (call) => {
	const [from, to] = asked(call).match(/\d+/g) ?? [];
	return { toolCalls: [{ name: "count_primes", args: { from: Number(from), to: Number(to) } }] };
};
const found: ScriptedRound = ({ prompt }) => `Found ${/primes\D+(\d+)/.exec(JSON.stringify(prompt.at(-1)))?.[1]}.`;
const adds: ScriptedRound = (call) => {
	const parts = [...asked(call).matchAll(/Found (\d+)/g)].map(([, primes]) => Number(primes));
	return `${parts.join(" + ")} = ${parts.reduce((sum, part) => sum + part, 0)}`;
};

serveTasks({
	robots: [
		new Robot({ name: "counter", model: new ScriptedModel([counts, found]), localTools: [countPrimes] }),
		new Robot({
			name: "fragile",
			model: new ScriptedModel([{ toolCalls: [{ name: "crash_once" }] }, "All is well."]),
			localTools: [crashOnce],
		}),
		new Robot({ name: "reporter", model: new ScriptedModel(adds) }),
	],
});

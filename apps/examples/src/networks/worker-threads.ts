// 30: a network whose robots are in worker threads, so that tools that compute for long do not stop each other. What goes on there stands in the
// network's log here, and a thread that crashes costs an attempt.
import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { EventLog, Network } from "@robot-lab/core";
import { ThreadTaskRunner } from "@robot-lab/core/threads";

const shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
const file = new URL("./worker-robots.js", import.meta.url);

await using runner = new ThreadTaskRunner({ worker: () => new Worker(file, { workerData: { shared, together: 3 } }), size: 3 });

// the robots are there, and here are their names: runner.robot(name) stands for one
const counter = runner.robot("counter");
const network = new Network({ name: "primes", runner })
	.parallel("counts", {}, (group) =>
		group
			.task("low", counter, { input: () => "From 0 to 10000" })
			.task("middle", counter, { input: () => "From 10000 to 20000" })
			.task("high", counter, { input: () => "From 20000 to 30000" }),
	)
	// its thread ends in the middle of the first attempt; the second has another
	.task("check", runner.robot("fragile"), {
		dependsOn: ["counts"],
		input: () => "Are you well?",
		retries: { maxRetries: 1, baseDelayMs: 1 },
	})
	.task("sum", runner.robot("reporter"), { dependsOn: ["counts", "check"] });

const log = new EventLog();
const started: string[] = [];
log.subscribe(({ event, data }) => {
	if (event === "run.started") started.push(`${data.scope} ${data.name}`);
});
const { status, tasks, results, lastTextContent } = await network.run({ message: "How many primes are there below 30000?", log });

for (const [name, { state, attempts }] of Object.entries(tasks)) console.log(`${name}: ${state}, attempts ${attempts}`);
console.log(lastTextContent);

const counted = [results.low, results.middle, results.high].map(
	(result) => JSON.parse(result?.toolCalls[0]?.content ?? "{}") as { primes: number; thread: number },
);
const threads = new Set(counted.map(({ thread }) => thread));
console.log(`${threads.size} threads counted at the same moment`);
// threads run as they like, and the log has what they tell in the order in which it comes
console.log(`In the log: ${started.sort().join(", ")}`);

assert.equal(status, "done");
assert.deepEqual(
	counted.map(({ primes }) => primes),
	[1229, 1033, 983],
);
assert.equal(lastTextContent, "1229 + 1033 + 983 = 3245");
assert.equal(threads.size, 3);
assert.equal(tasks.check.attempts, 2);

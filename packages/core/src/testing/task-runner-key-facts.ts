import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { failureOf, TaskAsker } from "./task-runner-asking.js";
import type { TestedTaskRunner } from "./task-runner-contract.js";

/** What every runner makes of the keys of attempts. */
export const TASK_RUNNER_KEY_FACTS: Readonly<Record<string, (tested: TestedTaskRunner) => Promise<void>>> = {
	"runs different keys side by side, each once": async (tested) => {
		const asker = new TaskAsker(tested);
		const message = randomUUID();
		const waiting = Array.from({ length: 20 }, () => asker.text("waiter", message));
		await asker.text("opener", message);
		const runs = (await Promise.all(waiting)).map(Number).sort((one, other) => one - other);
		assert.deepEqual(
			runs,
			Array.from({ length: 20 }, (_, index) => index + 1),
		);
	},
	"runs a key once that is asked for twice while it runs": async (tested) => {
		const asker = new TaskAsker(tested);
		const [key, message] = [randomUUID(), randomUUID()];
		const asked = [asker.text("waiter", message, { key }), asker.text("waiter", message, { key })];
		await asker.text("opener", message);
		assert.deepEqual(await Promise.all(asked), ["1", "1"]);
		assert.equal(await asker.text("waiter", message), "2");
	},
	"answers a key that has ended with the same, also after a hundred others": async (tested) => {
		const asker = new TaskAsker(tested);
		const [key, message] = [randomUUID(), randomUUID()];
		const first = await asker.ask("counter", message, { key });
		for (let other = 1; other < 100; other += 1) await asker.text("counter", randomUUID());
		assert.equal((await asker.ask("counter", message, { key })).id, first.id);
		assert.equal(await asker.text("counter", message), "2");
	},
	"fails a key that has failed with the same": async (tested) => {
		const asker = new TaskAsker(tested);
		const [key, message] = [randomUUID(), randomUUID()];
		for (const _ of ["once", "again"]) {
			const error = await failureOf(asker.ask("failing", message, { key }));
			assert.equal((error as Error).message, "failed 1 times");
		}
		assert.equal(((await failureOf(asker.ask("failing", message))) as Error).message, "failed 2 times");
	},
	"lets who has joined a run leave it, and the run go on": async (tested) => {
		const asker = new TaskAsker(tested);
		const [key, message] = [randomUUID(), randomUUID()];
		const leave = new AbortController();
		const first = asker.text("waiter", message, { key });
		const joined = failureOf(asker.text("waiter", message, { key, signal: leave.signal }));
		leave.abort(new Error("no patience"));
		assert.equal(((await joined) as Error).message, "no patience");
		await asker.text("opener", message);
		assert.equal(await first, "1");
	},
};

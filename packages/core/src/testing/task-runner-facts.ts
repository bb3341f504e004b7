import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { ConfigurationError } from "../errors/configuration-error.js";
import { InferenceError } from "../errors/inference-error.js";
import { NetworkError } from "../errors/network-error.js";
import { RobotLabError } from "../errors/robot-lab-error.js";
import { Memory } from "../memory/memory.js";
import { Network } from "../network/network.js";
import { failureOf, TaskAsker } from "./task-runner-asking.js";
import type { TestedTaskRunner } from "./task-runner-contract.js";
import { TASK_RUNNER_KEY_FACTS } from "./task-runner-key-facts.js";
import { TASK_RUNNER_LOG_FACTS } from "./task-runner-log-facts.js";

/** Texts that may be lost or changed on a way. */
const TEXTS: readonly string[] = ["go", " ", "line\r\nline\u0000\u2028", "🤖 é e\u0301", '{"a":1}', "__proto__", "x".repeat(1_000_000)];

/** What every runner does. Each is given one that may have been used before. */
export const TASK_RUNNER_FACTS: Readonly<Record<string, (tested: TestedTaskRunner) => Promise<void>>> = {
	"comes to what the robot comes to, with all of it": async (tested) => {
		const result = await new TaskAsker(tested).ask("counter", randomUUID());
		const { robotName, stopReason, lastTextContent, inputTokens, outputTokens, durationMs, toolCalls } = result;
		assert.deepEqual(
			{ robotName, stopReason, lastTextContent, inputTokens, outputTokens, durationMs, toolCalls },
			{
				robotName: "counter",
				stopReason: "stop",
				lastTextContent: "1",
				inputTokens: 7,
				outputTokens: undefined,
				durationMs: 1.5,
				toolCalls: [],
			},
		);
	},
	"hands on the message as it is": async (tested) => {
		const asker = new TaskAsker(tested);
		for (const message of TEXTS) assert.equal(JSON.parse((await asker.text("echo", message)) ?? "").message, message);
	},
	"hands on the context, and what task and network say of tools and servers": async (tested) => {
		const context = JSON.parse('{"name":"Ada","deep":[{"a":null}],"":0,"constructor":"x","__proto__":{"admin":true}}');
		const inherited = { task: { tools: ["a"], mcp: "none" }, network: { tools: "none", mcp: ["b"] } } as const;
		const text = await new TaskAsker(tested).text("echo", "go", { context, inherited });
		assert.equal(text, JSON.stringify({ message: "go", context, ...inherited }));
		assert.equal(Reflect.get({}, "admin"), undefined);
	},
	"fails with what the robot fails with: its class, code, message and what else it says": async (tested) => {
		const asker = new TaskAsker(tested);
		const inference = await failureOf(asker.ask("failing", "inference"));
		assert.ok(InferenceError.isInstance(inference) && RobotLabError.isInstance(inference) && !ConfigurationError.isInstance(inference));
		const { name, code, message, attempts, statusCode, isRetryable, cause } = inference;
		assert.deepEqual(
			[name, code, message, attempts, statusCode, isRetryable],
			["InferenceError", "inference", "the model is busy", 3, 529, true],
		);
		assert.equal((cause as Error).message, "socket hang up");
		const configuration = await failureOf(asker.ask("failing", "configuration"));
		assert.ok(ConfigurationError.isInstance(configuration) && !InferenceError.isInstance(configuration));
		assert.deepEqual([configuration.code, configuration.message], ["odd", "an option is wrong"]);
		const network = await failureOf(asker.ask("failing", "network"));
		assert.ok(NetworkError.isInstance(network) && ConfigurationError.isInstance(network));
		assert.deepEqual([network.code, network.network, network.cycle], ["cycle", "lab", ["a", "b", "a"]]);
		const thrown = await failureOf(asker.ask("throwing", "go"));
		assert.ok(InferenceError.isInstance(thrown) && thrown.message === "it throws instead of rejecting");
	},
	"fails with what others throw: an error that says the same, or something that is thrown at all": async (tested) => {
		const asker = new TaskAsker(tested);
		const other = (await failureOf(asker.ask("failing", "other"))) as Error & { readonly code: string; readonly detail: object };
		assert.ok(other instanceof Error);
		assert.equal(RobotLabError.isInstance(other), false);
		assert.deepEqual([other.name, other.message, other.code, other.detail], ["TypeError", "not a function", "ERR_X", { line: 7 }]);
		const text = await failureOf(asker.ask("failing", "text"));
		assert.ok(text === "just text" || (text as Error).message === "just text");
		await failureOf(asker.ask("failing", "nothing"));
	},
	"aborts the robot with its signal, whose reason it can tell, and comes to what that answers": async (tested) => {
		const asker = new TaskAsker(tested);
		for (const [reason, name] of [
			[undefined, "AbortError"],
			[new DOMException("too late", "TimeoutError"), "TimeoutError"],
		] as const) {
			const stop = new AbortController();
			const asked = asker.ask("obedient", "go", { signal: stop.signal });
			// it has begun by then
			await asker.text("echo", "go");
			stop.abort(reason);
			const { stopReason, lastTextContent } = await asked;
			assert.deepEqual([stopReason, lastTextContent], ["aborted", name]);
		}
		const { stopReason } = await asker.ask("obedient", "go", { signal: AbortSignal.abort() });
		assert.equal(stopReason, "aborted");
	},
	"is not held up by a robot that never ends": async (tested) => {
		const asker = new TaskAsker(tested);
		const stop = new AbortController();
		const deaf = asker.ask("deaf", "go", { signal: stop.signal }).then(
			() => "ended",
			() => "ended",
		);
		stop.abort();
		assert.equal(await Promise.race([deaf, asker.text("counter", randomUUID())]), "1");
	},
	"gives the robot a memory and hooks, or refuses them": async (tested) => {
		const asker = new TaskAsker(tested);
		const memory = new Memory();
		memory.set("secret", "42");
		const withMemory = asker.text("knowing", "go", { local: { memory }, hasOwnMemory: true });
		assert.ok(await givenOrRefused(withMemory, (text) => text === "42"), "a task's own memory got lost");
		const calls: string[] = [];
		const hook = { namespace: "audit", beforeToolCall: () => calls.push("called") };
		const withHook = asker.text("talker", "go", { local: { inherited: { writer: "task", hooks: [hook] } } });
		assert.ok(await givenOrRefused(withHook, () => calls.length === 1), "a network's hooks got lost");
	},
	"lets a network refuse what is no result": async ({ runner, robot }) => {
		for (const junk of ["7", "null", "{}", '["a"]', '{"output":[]}', "a function", "itself"]) {
			const network = new Network({ name: "lab", runner }).task("bad", robot("junk"), { retries: 3 });
			const { tasks } = await network.run({ message: junk });
			assert.ok(ConfigurationError.isInstance(tasks.bad.error), junk);
			assert.equal(tasks.bad.attempts, 1);
		}
	},
	"runs a network: retries have keys of their own, and so has the fallback": async ({ runner, robot }) => {
		const message = randomUUID();
		const network = new Network({ name: "lab", runner, onFailure: "settle" })
			.task("fails", robot("failing"), { retries: { maxRetries: 2, sleep: async () => {} }, fallback: robot("counter") })
			.task("fails again", robot("failing"), { dependsOn: ["fails"], input: () => message })
			.task("late", robot("deaf"), { timeoutMs: 20 });
		const { tasks, results } = await network.run({ message });
		assert.deepEqual([tasks.fails.state, tasks.fails.attempts, results.fails?.lastTextContent], ["done", 3, "1"]);
		assert.equal((tasks["fails again"].error as Error).message, "failed 4 times");
		assert.equal((tasks.late.error as RobotLabError).code, "task_timeout");
	},
	...TASK_RUNNER_KEY_FACTS,
	...TASK_RUNNER_LOG_FACTS,
};

async function givenOrRefused(asked: Promise<string | undefined>, isGiven: (text: string | undefined) => boolean): Promise<boolean> {
	try {
		return isGiven(await asked);
	} catch (error) {
		return ConfigurationError.isInstance(error);
	}
}

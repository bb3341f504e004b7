import { describe, expect, it } from "vitest";
import { AwaitTimeoutError } from "../../src/errors/await-timeout-error.js";
import { BudgetExceededError } from "../../src/errors/budget-exceeded-error.js";
import { BusError } from "../../src/errors/bus-error.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { DelegationTimeoutError } from "../../src/errors/delegation-timeout-error.js";
import { DependencyError } from "../../src/errors/dependency-error.js";
import { InferenceError } from "../../src/errors/inference-error.js";
import { McpError } from "../../src/errors/mcp-error.js";
import { NetworkError } from "../../src/errors/network-error.js";
import { RobotLabError } from "../../src/errors/robot-lab-error.js";
import { SandboxUnavailableError } from "../../src/errors/sandbox-unavailable-error.js";
import { StreamError } from "../../src/errors/stream-error.js";
import { TaskRunnerError } from "../../src/errors/task-runner-error.js";
import { ToolNotFoundError } from "../../src/errors/tool-not-found-error.js";
import { abortRecord, errorFromRecord, failureRecord, reasonFromRecord } from "../../src/threads/task-failure.js";

/** What becomes of an error on its way. */
const crossed = (error: unknown): Error => errorFromRecord(structuredClone(failureRecord(error)));

/** All that can be told of it. */
const facts = (error: Error): object => ({ ...error, name: error.name, message: error.message, stack: error.stack, cause: error.cause });

class LabError extends RobotLabError {
	static override readonly typeName: string = "LabError";
	readonly room = 7;
}

describe("an error that crosses", () => {
	it.each<RobotLabError>([
		new RobotLabError("odd", "is odd"),
		new AwaitTimeoutError(["a", "b"], 5),
		new BudgetExceededError("cost", 1, 2, "too much"),
		new BusError("closed", "is closed"),
		new ConfigurationError("is wrong"),
		new DelegationTimeoutError("slow", 5),
		new DependencyError("zod", "is missing"),
		new InferenceError("is busy", { attempts: 2, statusCode: 503, isRetryable: true }),
		new McpError("refused", "files", "says no"),
		new NetworkError("cycle", "lab", "waits", ["a", "a"]),
		new SandboxUnavailableError("grant_changed", "has changed"),
		new StreamError("events_gone", "are gone"),
		new TaskRunnerError("worker_lost", "is gone"),
		new ToolNotFoundError("look", "is unknown"),
		new LabError("lab", "is of somebody's own"),
	])("is of its class and says all it said: $name", (error) => {
		const there = crossed(error);
		expect(facts(there)).toEqual(facts(error));
		expect(Object.keys(there).sort()).toEqual(Object.keys(error).sort());
		expect((error.constructor as typeof RobotLabError).isInstance(there)).toBe(true);
		expect([there instanceof Error, RobotLabError.isInstance(there)]).toEqual([true, true]);
		expect(there instanceof (error instanceof LabError ? RobotLabError : (error.constructor as typeof RobotLabError))).toBe(true);
		expect(InferenceError.isInstance(there)).toBe(InferenceError.isInstance(error));
		expect(ConfigurationError.isInstance(there)).toBe(ConfigurationError.isInstance(error));
	});

	it("keeps what led to it, as far as somebody reads", () => {
		const root = Object.assign(new TypeError("fetch failed"), { code: "ECONNRESET" });
		const there = crossed(new InferenceError("is busy", { cause: new Error("no line", { cause: root }) }));
		expect(there.cause).toMatchObject({ message: "no line", cause: { name: "TypeError", message: "fetch failed", code: "ECONNRESET" } });
		const own: Error & { cause?: unknown } = new Error("round");
		own.cause = own;
		expect(crossed(own)).toMatchObject({ message: "round", cause: { message: "round" } });
	});

	it("leaves out what cannot cross, and takes nothing for what it is not", () => {
		const error = Object.assign(new Error("odd"), { run: () => {}, big: 1n, round: {} as object, fine: [1] });
		Object.defineProperty(error, "__proto__", { value: { admin: true }, enumerable: true });
		error.round = { error };
		const there = crossed(error);
		expect({ ...there }).toMatchObject({ fine: [1] });
		expect(Object.keys(there).sort()).toEqual(["__proto__", "fine"]);
		expect([there instanceof Error, Reflect.get({}, "admin")]).toEqual([true, undefined]);
	});

	const trap = (): never => {
		throw new Error("trap");
	};
	const revoked = Proxy.revocable(new Error("x"), {});
	revoked.revoke();

	it.each([
		["undefined", undefined, "it failed without saying why"],
		["null", null, "it failed without saying why"],
		["a number", 7, "it failed without saying why"],
		["text", "just text", "just text"],
		["an object with a message", { message: "like an error" }, "like an error"],
		["an object with another", { message: 7, name: 8, stack: 9 }, "it failed without saying why"],
		["a trap", new Proxy(new Error("x"), { get: trap, ownKeys: trap, getOwnPropertyDescriptor: trap }), "it failed without saying why"],
		["a revoked proxy", revoked.proxy, "it failed without saying why"],
		["a message without end", new Error("x".repeat(9_000)), `${"x".repeat(2_000)}… (7000 characters cut)`],
	])("may be anything that is thrown: %s", (_, thrown, message) => {
		const there = crossed(thrown);
		expect([there instanceof Error, there.message]).toEqual([true, message]);
	});
});

describe("the reason of an abort that crosses", () => {
	it.each([
		["a timeout", new DOMException("late", "TimeoutError"), "TimeoutError", "late"],
		["an abort", new DOMException("enough", "AbortError"), "AbortError", "enough"],
		["an error", new Error("no patience"), "AbortError", "no patience"],
		["text", "stop", "AbortError", "stop"],
		["nothing", undefined, "AbortError", "it failed without saying why"],
	])("is one that a signal has: %s", (_, reason, name, message) => {
		const there = reasonFromRecord(structuredClone(abortRecord(reason)));
		expect([there instanceof DOMException, there.name, there.message]).toEqual([true, name, message]);
	});
});

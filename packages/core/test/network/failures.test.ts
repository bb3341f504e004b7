import { types } from "node:util";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { InferenceError } from "../../src/errors/inference-error.js";
import type { Hook } from "../../src/hook/hook.js";
import { Network } from "../../src/network/network.js";
import type { FailurePolicy } from "../../src/network/task-options.js";
import type { Delegate } from "../../src/robot/delegation-future.js";
import { retryDelay, retryPolicy } from "../../src/run/retry.js";
import { EventLog } from "../../src/stream/event-log.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { deaf, failing, resultOf, robotThat, saying, untilStopped } from "./robots.js";

const lab = (onFailure: FailurePolicy = "fail-fast"): Network => new Network({ name: "lab", onFailure });
const at = <Tasks extends string>(tasks: Readonly<Record<Tasks, { readonly state: string }>>): Record<string, string> =>
	Object.fromEntries(Object.entries<{ readonly state: string }>(tasks).map(([name, { state }]) => [name, state]));

/** Fails so many times, then answers. */
function flaky(failures: number, error: () => unknown = () => new Error("not yet")): Delegate & { readonly asked: string[] } {
	const asked: string[] = [];
	const robot = robotThat((message) => {
		asked.push(message);
		if (asked.length <= failures) throw error();
		return "at last";
	});
	return { ...robot, asked };
}

describe("a task that fails", () => {
	it("stops the others where the network fails fast, and blocks what depends on it", async () => {
		const log = new EventLog();
		const network = lab()
			.task("bad", failing("no"))
			.task("sibling", untilStopped())
			.task("after", saying("x"), { dependsOn: ["bad"] })
			.task("other", saying("x"), { dependsOn: ["sibling"] })
			.task("extra", saying("x"), { dependsOn: "optional" });
		const result = await network.run({ message: "go", log });
		expect(result.status).toBe("failed");
		expect(at(result.tasks)).toEqual({ bad: "failed", sibling: "cancelled", after: "blocked", other: "cancelled", extra: "skipped" });
		expect(result.tasks.bad.error).toMatchObject({ message: "no" });
		assertWholeLog(log.after(0));
		expect(log.after(0).at(-2)).toMatchObject({
			event: "run.failed",
			data: { scope: "network", stopReason: "failed", error: { message: 'The task "bad" failed: no' } },
		});
	});

	it("lets the others go on where the network settles; its error is nobody's message", async () => {
		const asked: string[] = [];
		const noting = robotThat((message) => {
			asked.push(message);
			return "fine";
		});
		const network = lab("settle")
			.task("bad", failing("no"))
			.task("good", noting)
			.task("after", noting, { dependsOn: ["bad", "good"] })
			.task("late", noting, { dependsOn: ["after"] })
			.task("other", noting, { dependsOn: ["good"] });
		const result = await network.run({ message: "go" });
		expect(at(result.tasks)).toEqual({ bad: "failed", good: "done", after: "blocked", late: "blocked", other: "done" });
		expect(result).toMatchObject({ status: "failed", lastTextContent: "fine" });
		expect(asked).toEqual(["go", 'go\n\nResult of "good":\nfine']);
	});

	it("has its own say about that", async () => {
		const settling = lab("fail-fast")
			.task("bad", failing("no"), { onFailure: "settle" })
			.task("good", saying("x"))
			.task("after", saying("x"), { dependsOn: ["good"] });
		expect(at((await settling.run({ message: "go" })).tasks)).toEqual({ bad: "failed", good: "done", after: "done" });
		const failingFast = lab("settle").task("bad", failing("no"), { onFailure: "fail-fast" }).task("good", untilStopped());
		expect(at((await failingFast.run({ message: "go" })).tasks)).toEqual({ bad: "failed", good: "cancelled" });
	});

	it.each([
		["undefined", undefined],
		["null", null],
		["text", "just text"],
		["an object", { message: 7 }],
		[
			"a trap",
			new Proxy(new Error("x"), {
				get: () => {
					throw new Error("trap");
				},
			}),
		],
	])("may fail with anything: %s", async (_, thrown) => {
		const robot = robotThat(() => {
			throw thrown;
		});
		const log = new EventLog();
		const result = await lab()
			.task("bad", robot, { retries: { maxRetries: 1, sleep: async () => {} } })
			.run({ message: "go", log });
		expect(result).toMatchObject({ status: "failed", tasks: { bad: { state: "failed", attempts: 2 } } });
		// an Error as it is, and anything else as the cause of one
		const { error } = result.tasks.bad;
		expect(types.isNativeError(error)).toBe(!types.isProxy(thrown));
		if (error !== thrown)
			expect([error?.message, error?.cause]).toEqual([thrown === "just text" ? thrown : "it failed without saying why", thrown]);
		expect(() => JSON.stringify(result)).not.toThrow();
		assertWholeLog(log.after(0));
	});

	it("is failed by a result that says error, and by one that says aborted though nobody stopped it", async () => {
		const network = lab("settle")
			.task(
				"errs",
				robotThat(() => resultOf("half", "error")),
			)
			.task(
				"aborts",
				robotThat(() => resultOf("half", "aborted")),
			)
			.task(
				"cut",
				robotThat(() => resultOf("half", "length")),
			);
		const { tasks } = await network.run({ message: "go" });
		expect(tasks).toMatchObject({
			errs: { state: "failed", error: { code: "task_error" } },
			aborts: { state: "failed", error: { code: "task_aborted" } },
			cut: { state: "done" },
		});
	});
});

describe("retries", () => {
	it("ask again with patience, as the log tells, until there is an answer", async () => {
		const waits: number[] = [];
		const robot = flaky(2);
		const log = new EventLog();
		const sleep = async (ms: number): Promise<void> => void waits.push(ms);
		const network = lab().task("flaky", robot, {
			retries: { maxRetries: 3, baseDelayMs: 100, sleep, random: () => 1 },
			input: ({ message }) => `${message} ${robot.asked.length}`,
		});
		const result = await network.run({ message: "go", log });
		expect(result).toMatchObject({ status: "done", tasks: { flaky: { state: "done", attempts: 3 } } });
		expect("error" in result.tasks.flaky).toBe(false);
		expect(waits).toEqual([100, 200]);
		// the message is made once
		expect(robot.asked).toEqual(["go 0", "go 0", "go 0"]);
		assertWholeLog(log.after(0));
		const steps = log.after(0).filter(({ event, data }) => event === "step.failed" && data.scope === "task");
		expect(steps.map(({ data }) => "retryInMs" in data && data.retryInMs)).toEqual([100, 200]);
	});

	it("end with the last error, and are none for a mistake in the program, or by default", async () => {
		const [often, mistake, once] = [flaky(9), flaky(9, () => Object.assign(new Error(), {})), flaky(9)];
		const network = lab("settle")
			.task("often", often, { retries: { maxRetries: 2, sleep: async () => {} } })
			.task(
				"mistake",
				robotThat(() => 7, "m"),
				{ retries: 5 },
			)
			.task("once", once);
		const { tasks } = await network.run({ message: "go" });
		expect(tasks).toMatchObject({ often: { attempts: 3 }, mistake: { attempts: 1 }, once: { attempts: 1 } });
		expect(mistake.asked).toEqual([]);
	});

	it("end at once when the network is stopped while they wait, or where waiting itself fails", async () => {
		const stop = new AbortController();
		const waiting = lab().task("a", failing("no"), {
			retries: {
				sleep: () => {
					stop.abort();
					return new Promise(() => {});
				},
			},
		});
		expect(await waiting.run({ message: "go", signal: stop.signal })).toMatchObject({
			status: "cancelled",
			tasks: { a: { state: "cancelled", attempts: 1 } },
		});
		const broken = lab().task("a", failing("no"), { retries: { sleep: () => Promise.reject(new Error("no timer")) } });
		expect(await broken.run({ message: "go" })).toMatchObject({ tasks: { a: { state: "failed", error: { message: "no timer" } } } });
	});
});

describe("a wait between attempts", () => {
	it("is never longer than a timer, beyond which it would be none", () => {
		const policy = retryPolicy({ maxRetries: 2_000, baseDelayMs: 1e12, maxDelayMs: Number.POSITIVE_INFINITY, random: () => 1 });
		expect(retryDelay(1, undefined, policy)).toBe(2 ** 31 - 1);
		expect(retryDelay(2_000, undefined, { ...policy, baseDelayMs: 0 })).toBe(0);
	});

	it.each([
		["baseDelayMs", 1e12],
		["baseDelayMs", Number.NaN],
		["maxDelayMs", Number.POSITIVE_INFINITY],
	])("is refused where nobody can wait so long: %s %d", (option, ms) => {
		expect(() => lab().task("a", saying("x"), { retries: { [option]: ms } })).toThrow(`a number from 0 to 2147483647 as retries.${option}`);
	});
});

describe("timeoutMs", () => {
	it("stops a robot that heeds it, leaves one behind that does not, and counts for each attempt", async () => {
		const log = new EventLog();
		const network = lab("settle")
			.task("heeds", untilStopped(), { timeoutMs: 5 })
			.task("deaf", deaf(), { timeoutMs: 5, retries: { maxRetries: 1, sleep: async () => {} } })
			.task("input", saying("x"), { timeoutMs: 5, input: () => new Promise(() => {}) })
			.task("next", saying("x"), { timeoutMs: 5, next: () => new Promise(() => {}) })
			.task("quick", saying("x"), { timeoutMs: 60_000 });
		const { tasks } = await network.run({ message: "go", log });
		for (const name of ["heeds", "deaf", "input", "next"] as const) {
			expect(tasks[name]).toMatchObject({ state: "failed", error: { code: "task_timeout" } });
		}
		expect([tasks.deaf.attempts, tasks.quick.state]).toEqual([2, "done"]);
		assertWholeLog(log.after(0));
	});

	it("has passed for an answer, too, that came as the robot was being stopped", async () => {
		const robot = robotThat(
			(_message, { signal }) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve("a moment late"))),
		);
		expect(await lab().task("a", robot, { timeoutMs: 5 }).run({ message: "go" })).toMatchObject({
			status: "failed",
			tasks: { a: { state: "failed", error: { code: "task_timeout" } } },
		});
	});
});

describe("a deadline that was met", () => {
	it("leaves no timer behind", async () => {
		const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
		const before = timers();
		await lab().task("a", saying("x"), { timeoutMs: 600_000 }).run({ message: "go" });
		expect(timers()).toBe(before);
	});
});

describe("a fallback", () => {
	it("is another robot, asked the same, or a text made of the error; the task is done then", async () => {
		const network = lab()
			.task("robot", failing("no"), { fallback: robotThat((message) => `instead: ${message}`) })
			.task("text", failing("down"), { fallback: ({ message }) => `Error: ${message}` })
			.task(
				"join",
				robotThat((message) => message),
				{ dependsOn: ["robot", "text"] },
			);
		const { status, tasks, lastTextContent } = await network.run({ message: "go" });
		expect(status).toBe("done");
		expect(tasks.robot).toMatchObject({ state: "done", attempts: 1, error: { message: "no" } });
		expect(lastTextContent).toBe('go\n\nResult of "robot":\ninstead: go\n\nResult of "text":\nError: down');
	});

	it("is given what is no Error as the cause of one, and an Error of another realm as it is", async () => {
		const foreign: unknown = runInNewContext("new Error('from afar')");
		const given: Error[] = [];
		for (const thrown of ["just text", foreign]) {
			const robot = robotThat(() => {
				throw thrown;
			});
			const fallback = (error: Error): string => {
				given.push(error);
				return "x";
			};
			expect((await lab().task("a", robot, { fallback }).run({ message: "go" })).tasks.a.error).toBe(given.at(-1));
		}
		expect(given).toEqual([expect.objectContaining({ message: "just text", cause: "just text" }), foreign]);
	});

	it("does not answer for a mistake in the program, which fails the task", async () => {
		let isAsked = false;
		const fallback = (): string => {
			isAsked = true;
			return "x";
		};
		const mistaken = robotThat(() => {
			throw new ConfigurationError("The provider's package is missing.");
		});
		const network = lab("settle")
			.task("mistake", mistaken, { fallback, retries: 2 })
			.task(
				"junk",
				robotThat(() => 7),
				{ fallback },
			);
		const { status, tasks } = await network.run({ message: "go" });
		expect({ status, isAsked }).toEqual({ status: "failed", isAsked: false });
		expect(tasks).toMatchObject({
			mistake: { state: "failed", attempts: 1, error: { message: "The provider's package is missing." } },
			junk: { state: "failed", error: { message: /must come to a RobotResult/ } },
		});
	});

	it("that fails itself, and is forgiven by a hook, has answered for nothing", async () => {
		const forgiving: Hook = {
			namespace: "forgiving",
			aroundTask: async (_context, next) => {
				try {
					return await next();
				} catch {
					return resultOf("forgiven");
				}
			},
		};
		const network = lab().task("a", failing("no"), { fallback: failing("nor I") });
		const { tasks, lastTextContent } = await network.run({ message: "go", hooks: [forgiving] });
		expect([lastTextContent, tasks.a.state, "error" in tasks.a]).toEqual(["forgiven", "done", false]);
	});

	it("answers for nobody who was stopped", async () => {
		const stop = new AbortController();
		let isAsked = false;
		const network = lab().task("a", untilStopped(), {
			fallback: () => {
				isAsked = true;
				return "x";
			},
		});
		const run = network.run({ message: "go", signal: stop.signal });
		stop.abort();
		expect({ status: (await run).status, isAsked }).toEqual({ status: "cancelled", isAsked: false });
	});

	it("that fails, too, fails the task with both errors", async () => {
		const network = lab("settle")
			.task("robot", failing("no"), { fallback: failing("nor I") })
			.task("text", failing("no"), { fallback: () => 7 as never });
		const { tasks } = await network.run({ message: "go" });
		expect(tasks.robot.error).toMatchObject({
			code: "fallback_failed",
			message: "no Its fallback failed, too: nor I",
			cause: { errors: [{ message: "no" }, { message: "nor I" }] },
		});
		// the mistake of a fallback stays one
		expect(ConfigurationError.isInstance(tasks.text.error)).toBe(true);
		expect(tasks.text.error?.message).toMatch(/^no Its fallback failed, too: The fallback of the task "text" must make text/);
	});
});

describe("a signal", () => {
	it("ends the run at any moment; robots that do not heed it are left behind", async () => {
		const stop = new AbortController();
		const log = new EventLog();
		const network = lab()
			.task("heeds", untilStopped())
			.task("deaf", deaf())
			.task("after", saying("x"), { dependsOn: ["heeds"] });
		const run = network.run({ message: "go", signal: stop.signal, log });
		stop.abort();
		const result = await run;
		expect(result.status).toBe("cancelled");
		expect(at(result.tasks)).toEqual({ heeds: "cancelled", deaf: "cancelled", after: "cancelled" });
		assertWholeLog(log.after(0));
		expect(log.after(0).at(-2)).toMatchObject({ event: "run.interrupted", data: { reason: "user_cancellation" } });
	});

	it("that is a deadline's is told as such, of the network and of its tasks", async () => {
		const stop = new AbortController();
		const log = new EventLog();
		const run = lab().task("a", untilStopped()).run({ message: "go", signal: stop.signal, log });
		stop.abort(new DOMException("late", "TimeoutError"));
		await run;
		const told = log.after(0).flatMap(({ event, data }) => (event === "run.interrupted" ? [[data.scope, data.reason]] : []));
		expect(told).toEqual([
			["task", "timeout"],
			["network", "timeout"],
		]);
	});

	it("lets a task that was done by then decide nothing more", async () => {
		const stop = new AbortController();
		let isAsked = false;
		const late = robotThat(() => {
			stop.abort();
			return "an answer";
		});
		const network = lab().task("a", late, {
			next: () => {
				isAsked = true;
			},
		});
		const result = await network.run({ message: "go", signal: stop.signal });
		expect(result).toMatchObject({ status: "cancelled", tasks: { a: { state: "done" } } });
		expect(isAsked).toBe(false);
	});

	it("that is aborted already starts nothing", async () => {
		const result = await lab().task("a", saying("x")).run({ message: "go", signal: AbortSignal.abort() });
		expect(result).toMatchObject({ status: "cancelled", tasks: { a: { state: "cancelled", attempts: 0 } } });
	});

	it("may come from a listener of the log, in the middle of whatever happens", async () => {
		for (let at = 1; at <= 12; at++) {
			const stop = new AbortController();
			const log = new EventLog();
			let count = 0;
			log.subscribe(() => {
				if (++count === at) stop.abort();
			});
			const network = lab()
				.task("a", failing("no"), { onFailure: "settle" })
				.task("b", saying("b"), { next: (_result, flow) => flow.activate("x" as never) })
				.task("c", saying("c"));
			const result = await network.run({ message: "go", log, signal: stop.signal });
			expect(Object.keys(result.tasks)).toHaveLength(3);
			assertWholeLog(log.after(0));
		}
	});
});

describe("what throws when it is read", () => {
	const trap = {
		get: () => {
			throw new Error("trap");
		},
	};

	it.each([
		["code", () => Object.defineProperty(new ConfigurationError("no"), "code", trap)],
		[
			"isRetryable",
			() => Object.defineProperty(new InferenceError("no", { attempts: 1, isRetryable: true } as never), "isRetryable", trap),
		],
		["message", () => Object.defineProperty(new Error("no"), "message", trap)],
	])("fails the task that fails with it, and its log is whole: %s", async (_, made) => {
		const robot = robotThat(() => {
			throw made();
		});
		const log = new EventLog();
		const { tasks } = await lab().task("a", robot, { retries: 0 }).run({ message: "go", log });
		expect(tasks.a.state).toBe("failed");
		assertWholeLog(log.after(0));
	});

	it("is a reason to stop as any other", async () => {
		const stop = new AbortController();
		const log = new EventLog();
		const run = lab().task("a", untilStopped()).run({ message: "go", signal: stop.signal, log });
		stop.abort(
			new Proxy(
				{},
				{
					getPrototypeOf: () => {
						throw new Error("trap");
					},
				},
			),
		);
		expect((await run).status).toBe("cancelled");
		assertWholeLog(log.after(0));
		expect(log.after(0).at(-2)).toMatchObject({ event: "run.interrupted", data: { reason: "user_cancellation" } });
	});

	it("is told of in words where a result is written as JSON, as all that JSON cannot say", async () => {
		const circle: Record<string, unknown> = {};
		circle.self = circle;
		for (const value of [10n, circle, new Map([["a", 1]])]) {
			const result = await lab()
				.task("a", saying("x"), { next: (_result, flow) => flow.halt(value) })
				.run({ message: "go" });
			expect(result.value).toBe(value);
			expect(JSON.parse(JSON.stringify(result)).value).toBeDefined();
		}
	});
});

describe("network.run()", () => {
	const network = lab().task("a", saying("x"));

	it.each([
		[undefined, /takes options, got undefined/],
		["go", /takes options, got "go"/],
		[{}, /needs a message of text/],
		[{ message: " " }, /needs a message of text/],
		[{ message: "go", mesage: 1 }, /Did you mean "message"/],
		[{ message: "go", context: [] }, /a record as context/],
		[{ message: "go", memory: {} }, /a Memory as memory/],
		[{ message: "go", signal: {} }, /an AbortSignal as signal/],
		[{ message: "go", log: {} }, /an EventLog without events as log/],
		[{ message: "go", parent: {} }, /parent must be the run/],
	])("refuses %o", async (options, message) => {
		await expect(network.run(options as never)).rejects.toThrow(message);
	});

	it("refuses a log that tells of something already", async () => {
		const log = new EventLog();
		await network.run({ message: "go", log });
		await expect(network.run({ message: "go", log })).rejects.toThrow(/an EventLog without events/);
	});

	it("may be called twice at once: each run has tasks and a result of its own", async () => {
		const [one, other] = await Promise.all([network.run({ message: "one" }), network.run({ message: "other" })]);
		expect([one.status, other.status]).toEqual(["done", "done"]);
		expect(one.tasks).not.toBe(other.tasks);
	});
});

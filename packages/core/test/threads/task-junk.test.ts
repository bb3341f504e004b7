import { once } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { TaskRunnerError } from "../../src/errors/task-runner-error.js";
import { Network } from "../../src/network/network.js";
import type { RunOptions } from "../../src/robot/run-options.js";
import { EventLog } from "../../src/stream/event-log.js";
import { StreamEvents } from "../../src/stream/stream-events.js";
import { taskRunnerRobots } from "../../src/testing/task-runner-robots.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { serveTasks, type TaskService } from "../../src/threads/task-server.js";
import { ThreadTaskRunner } from "../../src/threads/task-thread-runner.js";

const cyclic: { name: string; message: string; types: []; fields: []; cause?: unknown } = {
	name: "E",
	message: "m",
	types: [],
	fields: [],
};
cyclic.cause = cyclic;

const NOT_OURS = [
	undefined,
	null,
	0,
	"robotLabTasks",
	[],
	{},
	new Map([["robotLabTasks", 1]]),
	cyclic,
	new Date(),
	{ kind: "run", link: "a", run: 1 },
	{ kind: "answer", link: "a", run: 1 },
];

const run = (more: object): object => ({ kind: "run", robot: "echo", message: "go", options: {}, isWatched: false, ...more });
const abort = { name: "AbortError", message: "enough" };
const event = { event: "text.delta", data: { runId: "r", messageId: "m", scope: "robot" }, timestamp: 1, sequenceNumber: 1, id: "1" };

/** What names the run 1 of the link "a", and is wrong. */
const ASKED: readonly (readonly [said: object, flaw: RegExp])[] = [
	[{}, /is undefined, and no text/],
	[{ kind: 7 }, /is 7, and no text/],
	[{ kind: "__proto__" }, /kind: .*__proto__.* is unknown/],
	[{ kind: "toString" }, /is unknown/],
	[{ kind: "something new" }, /is unknown/],
	[run({ robotLabTasks: 2 }), /version 2, and this side speaks 1/],
	[{ kind: "something new", robotLabTasks: "2" }, /version "2"/],
	[{ kind: "run" }, /robot: is undefined/],
	[run({ robot: 7 }), /robot: is 7/],
	[run({ message: ["go"] }), /message: is a list/],
	[run({ options: undefined }), /options: is undefined/],
	[run({ options: new Map() }), /options: .*no record/],
	[run({ options: { context: "a" } }), /options: context: /],
	[run({ options: { tools: 7 } }), /options: tools: is 7, and no choice/],
	[run({ options: { mcp: [undefined] } }), /options: mcp: /],
	[run({ options: { inherited: [] } }), /options: inherited: /],
	[run({ options: { inherited: { task: 7 } } }), /inherited: task: is 7/],
	[run({ options: { inherited: { network: { tools: {} } } } }), /inherited: network: tools: /],
	[run({ isWatched: 1 }), /isWatched: is 1/],
	[run({ abort: {} }), /abort: name: is undefined/],
	[{ kind: "abort" }, /abort: is undefined/],
	[{ kind: "abort", abort: { ...abort, message: 7 } }, /abort: message: is 7/],
	[run({ run: -1 }), /run: is -1/],
];

/** What says that it is about tasks, and names no run. */
const nameless = (kind: string, link: string): readonly (readonly [said: object, flaw: RegExp])[] => [
	[{}, /is undefined, and no text/],
	[run({ kind, run: 1 }), /link: is undefined/],
	[run({ kind, run: 1, link: 7 }), /link: is 7/],
	[run({ kind, link }), /run: is undefined/],
	[run({ kind, link, run: 0.5 }), /run: is 0.5/],
	[Object.assign([], { kind }), /no record/],
];

/** What a thread says of a run, and is wrong. */
const SERVED: readonly (readonly [said: object, flaw: RegExp])[] = [
	[{}, /is undefined, and no text/],
	[{ kind: "something new" }, /is unknown/],
	[{ kind: "constructor" }, /is unknown/],
	[{ kind: "answer", json: "null", robotLabTasks: 2 }, /version 2/],
	[{ kind: "answer" }, /json: is undefined/],
	[{ kind: "answer", json: "{" }, /json: is no JSON/],
	[{ kind: "answer", json: { a: 1 } }, /json: is an object/],
	[{ kind: "failure" }, /failure: is undefined/],
	[{ kind: "failure", failure: {} }, /failure: name: /],
	[{ kind: "failure", failure: { ...cyclic, cause: 7 } }, /cause: is 7/],
	[{ kind: "failure", failure: cyclic }, /cause: .*more causes than anybody tells/],
	[{ kind: "failure", failure: { ...cyclic, cause: undefined, types: [7] } }, /types: is 7/],
	[{ kind: "failure", failure: { ...cyclic, cause: undefined, types: new Array(1) } }, /types: is undefined/],
	[{ kind: "failure", failure: { ...cyclic, cause: undefined, fields: [["a"]] } }, /fields: it: value is undefined/],
	[{ kind: "failure", failure: { ...cyclic, cause: undefined, fields: [7] } }, /fields: is 7/],
	[{ kind: "failure", failure: { ...cyclic, cause: undefined, stack: {} } }, /stack: /],
	[{ kind: "event" }, /event: it is no object/],
	[{ kind: "event", event: { ...event, data: null } }, /event: its data is no object/],
	[{ kind: "event", event: { ...event, data: {} } }, /event: its data\.runId/],
	[{ kind: "event", event: { ...event, event: "" } }, /event: its event/],
];

interface Served extends TaskService {
	readonly port: MessagePort;
	/** Why robots that waited were stopped. */
	readonly reasons: readonly unknown[];
	say(said: object): void;
}

function served(): Served {
	const { port1, port2 } = new MessageChannel();
	onTestFinished(() => port1.close());
	const reasons: unknown[] = [];
	const patient = {
		name: "patient",
		run: (_message: string, { signal }: RunOptions = {}) =>
			new Promise<never>(() => signal?.addEventListener("abort", () => reasons.push(signal.reason))),
	};
	const service = serveTasks({ robots: [...taskRunnerRobots(), patient], port: port2 });
	return { ...service, port: port1, reasons, say: (said) => port1.postMessage(marked(said)) };
}

/** A list stays one. */
const marked = (said: object): object => (Array.isArray(said) ? Object.assign(said, { robotLabTasks: 1 }) : { robotLabTasks: 1, ...said });

async function heard(port: MessagePort, kind: string): Promise<unknown> {
	for (;;) {
		const [said] = await once(port, "message");
		if (said?.kind === kind) return said;
	}
}

describe("serveTasks()", () => {
	it.each(ASKED.map(([said, flaw]) => [flaw, said] as const))(
		"fails the run that is asked for in a wrong way, and no other: %s",
		async (flaw, said) => {
			const { port, say, reasons } = served();
			const runner = new ThreadTaskRunner({ worker: port });
			const { run: number = 1 } = said as { readonly run?: number };
			say({ ...run({ robot: "patient" }), link: "a", run: number < 0 ? 2 : number });
			const failed = heard(port, "failure");
			say({ link: "a", run: 1, ...said });
			const message = expect.stringMatching(flaw);
			expect(await failed).toMatchObject({ link: "a", run: number, failure: { name: "TaskRunnerError", message } });
			expect(reasons).toEqual(number < 0 ? [] : [expect.objectContaining({ message })]);
			expect(await runner.robot("counter").run("go")).toMatchObject({ lastTextContent: "1" });
		},
	);

	it.each(nameless("run", "a").map(([said, flaw]) => [flaw, said] as const))(
		"ends where it is asked for nobody knows what, and tells why: %s",
		async (flaw, said) => {
			const { port, say, reasons } = served();
			const running = new ThreadTaskRunner({ worker: port }).robot("patient").run("go");
			const failed = running.catch((error: unknown) => error);
			const ended = heard(port, "ended");
			say(said);
			const reason = expect.stringMatching(flaw);
			expect(await ended).toMatchObject({ robotLabTasks: 1, reason });
			expect(await failed).toMatchObject({ name: "TaskRunnerError", code: "worker_lost", message: reason });
			expect(reasons).toEqual([expect.objectContaining({ message: reason })]);
		},
	);

	it("runs nothing twice at a time", async () => {
		const { port, say, reasons } = served();
		const failed = heard(port, "failure");
		for (const _ of [1, 2]) say({ ...run({ robot: "patient" }), link: "a", run: 1 });
		expect(await failed).toMatchObject({ failure: { message: expect.stringContaining("begins a run that goes on") } });
		expect(reasons).toHaveLength(1);
	});

	it("passes over what is not about tasks, what is about what is over, and what is said to who asks", async () => {
		const { port, say, reasons } = served();
		const said: unknown[] = [];
		port.on("message", ({ kind, run: number }) => said.push([kind, number]));
		for (const junk of NOT_OURS) port.postMessage(junk);
		say({ kind: "abort", link: "a", run: 7, abort });
		for (const kind of ["event", "answer", "failure", "ended"]) say({ kind, link: "a", run: 7, robotLabTasks: 2 });
		say({ ...run({ options: { signal: 7, parent: 7, memory: 7, with: "/etc/passwd" } }), link: "a", run: 8 });
		await heard(port, "answer");
		expect([said, reasons]).toEqual([[["answer", 8]], []]);
	});

	it("tells the other side when something comes that cannot be read", async () => {
		const { port1, port2 } = new MessageChannel();
		serveTasks({ robots: taskRunnerRobots(), port: port2 });
		const running = new ThreadTaskRunner({ worker: port1 }).robot("waiter").run("go");
		port2.emit("messageerror", new Error("not to be read"));
		await expect(running).rejects.toMatchObject({ code: "worker_lost", message: expect.stringContaining("could not be read") });
		port1.close();
	});
});

interface Asking {
	readonly runner: ThreadTaskRunner;
	readonly port: MessagePort;
	/** Its first run, of the robot "far", which is watched. */
	readonly begun: { readonly link: string; readonly run: number };
	readonly log: EventLog;
	/** What it comes to. */
	readonly end: Promise<unknown>;
	say(said: object): void;
}

async function asking(retries = 5): Promise<Asking> {
	const { port1: port, port2 } = new MessageChannel();
	onTestFinished(() => port.close());
	const runner = new ThreadTaskRunner({ worker: port2 });
	const log = new EventLog({ history: 10_000 });
	const network = new Network({ name: "lab", runner }).task("far", runner.robot("far"), { retries });
	const begun = heard(port, "run");
	const end = network.run({ message: "go", log }).then(({ tasks }) => [tasks.far.attempts, tasks.far.error]);
	const { link, run: number } = (await begun) as { readonly link: string; readonly run: number };
	return { runner, port, begun: { link, run: number }, log, end, say: (said) => port.postMessage(marked(said)) };
}

const withData = (name: string, data: object): object => ({
	kind: "event",
	event: { ...event, event: name, data: { ...event.data, ...data } },
});

describe("ThreadTaskRunner", () => {
	it.each(SERVED.map(([said, flaw]) => [flaw, said] as const))(
		"fails a run of which something wrong is said, and no other: %s",
		async (flaw, said) => {
			const { runner, port, begun, log, end, say } = await asking();
			const asked = heard(port, "run");
			const other = runner.robot("other").run("go");
			const { run: number } = (await asked) as { readonly run: number };
			say({ ...begun, ...withData("run.started", { name: "root", runId: "root" }) });
			say({ ...begun, ...withData("run.started", { name: "far", parentRunId: "root" }) });
			const stopped = heard(port, "abort");
			say({ ...begun, ...said });
			const [attempts, error] = (await end) as [number, unknown];
			expect([attempts, TaskRunnerError.isInstance(error), error]).toEqual([
				1,
				true,
				expect.objectContaining({ code: "bad_message", message: expect.stringMatching(flaw) }),
			]);
			expect(await stopped).toMatchObject(begun);
			assertWholeLog(log.after(0));
			say({ link: begun.link, run: number, kind: "failure", failure: { ...cyclic, cause: undefined, message: "the other" } });
			await expect(other).rejects.toThrow("the other");
		},
	);

	it("is lost where something is said that nobody knows the run of", async () => {
		for (const index of nameless("answer", "").keys()) {
			const { runner, port, begun, end, say } = await asking();
			const [said, flaw] = nameless("answer", begun.link)[index] ?? [{}, /never/];
			const stopped = heard(port, "abort");
			say(said);
			expect(await end).toEqual([1, expect.objectContaining({ code: "bad_message", message: expect.stringMatching(flaw) })]);
			expect(await stopped).toMatchObject(begun);
			await expect(runner.robot("later").run("go")).rejects.toMatchObject({ code: "bad_message" });
		}
	});

	it("understands in every version that it is not understood", async () => {
		const { begun, end, say } = await asking(0);
		say({ ...begun, kind: "failure", failure: { ...cyclic, cause: undefined, message: "speak up" }, robotLabTasks: 2 });
		expect(await end).toEqual([1, expect.objectContaining({ message: "speak up" })]);
	});

	it("passes over what is not about tasks, what is about runs of others or what is over, and what is asked of who has robots", async () => {
		const { port, begun, end, say } = await asking();
		for (const junk of NOT_OURS) port.postMessage(junk);
		for (const [said] of SERVED) {
			say({ link: "a", run: 1, ...said });
			say({ ...begun, run: 77, ...said });
		}
		say({ kind: "run", ...begun, robotLabTasks: 2 });
		say({ kind: "abort", ...begun });
		say({
			...begun,
			kind: "failure",
			failure: { ...cyclic, cause: undefined, types: ["TaskRunnerError", "RobotLabError"], message: "the end" },
		});
		expect(await end).toEqual([1, expect.objectContaining({ message: "the end" })]);
	});

	it("brings every run to an end, whatever is said of it, and tells of it as of a whole one", async () => {
		const anything = fc.anything({ maxDepth: 2, withNullPrototype: true });
		const kind = fc.constantFrom("event", "answer", "failure", "new");
		const ids = fc.constantFrom("root", "far", "there");
		const data = fc.record(
			{
				runId: ids,
				messageId: ids,
				scope: fc.constant("robot"),
				parentRunId: ids,
				partId: ids,
				stepId: ids,
				delta: anything,
				type: fc.constantFrom("text", 7),
			},
			{ requiredKeys: ["runId", "messageId", "scope"] },
		);
		const told = fc.record({ ...mapped(event), event: fc.constantFrom(...StreamEvents.ALL, "own.event"), data });
		const junk = fc.oneof(
			fc.record({ kind: fc.constant("event"), event: told }),
			fc.record({ kind, json: anything, failure: anything, event: anything, abort: anything }, { requiredKeys: ["kind"] }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(junk, { maxLength: 20 }), async (all) => {
				const { begun, log, end, say } = await asking(0);
				for (const said of all) if (isCloneable(said)) say({ ...said, ...begun });
				say({ ...begun, kind: "answer", json: "7" });
				const [attempts, error] = (await end) as [number, unknown];
				expect([attempts, error instanceof Error]).toEqual([1, true]);
				assertWholeLog(log.after(0));
			}),
			{ numRuns: 60 },
		);
	});
});

/** What somebody may be asked for anything at all. */
it("serveTasks() answers whatever is asked of it, and goes on", async () => {
	const anything = fc.anything({ maxDepth: 3, withNullPrototype: true });
	const { port, say } = served();
	const runner = new ThreadTaskRunner({ worker: port });
	let last = 0;
	const asked = fc.record(
		{
			kind: fc.oneof(fc.constantFrom("run", "abort"), anything),
			robot: fc.constantFrom("counter", 7),
			message: fc.constantFrom("go", 7),
			options: anything,
			isWatched: anything,
			abort: anything,
		},
		{ requiredKeys: ["kind"] },
	);
	await fc.assert(
		fc.asyncProperty(asked, async (said) => {
			fc.pre(isCloneable(said) && !["event", "answer", "failure", "ended", "abort"].includes(said.kind as string));
			last += 1;
			const answered = once(port, "message");
			say({ ...said, link: "a", run: last });
			expect((await answered)[0]).toMatchObject({ link: "a", run: last, kind: expect.stringMatching(/answer|failure/) });
		}),
		{ numRuns: 200 },
	);
	expect(await runner.robot("echo").run("go")).toMatchObject({ robotName: "echo" });
});

const mapped = (facts: { readonly [name: string]: unknown }): { readonly [name: string]: fc.Arbitrary<unknown> } =>
	Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, fc.constant(value)]));

function isCloneable(value: unknown): boolean {
	try {
		structuredClone(value);
		return true;
	} catch {
		return false;
	}
}

import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import { withinCall } from "../../src/stream/open-run.js";
import { RunPublisher } from "../../src/stream/run-publisher.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";

function begin(): { run: RunPublisher; log: EventLog } {
	const log = new EventLog();
	return { run: RunPublisher.root(log, { name: "bob" }), log };
}

const FAILED = { event: "run.failed", error: { code: "x", message: "x" }, recoverable: false } as const;

describe("RunPublisher", () => {
	it("closes at its end what is open: parts, calls without output, steps and runs beneath, the innermost first", () => {
		const { run, log } = begin();
		run.beginMessage();
		run.step("model", 1);
		run.part({ type: "text" }).delta("half");
		run.announceCall({ toolCallId: "c", toolName: "t" });
		const child = run.begin({ name: "helper" });
		child.part({ type: "reasoning" });
		run.end({ event: "run.completed" });
		const events = log.after(0);
		assertWholeLog(events);
		expect(events.slice(-8).map(({ event, data }) => [event, (data as { type?: string }).type])).toEqual([
			["part.failed", "reasoning"],
			["run.interrupted", undefined],
			["part.failed", "text"],
			["part.created", "tool-output"],
			["part.failed", "tool-output"],
			["step.failed", undefined],
			["run.completed", undefined],
			["stream.ended", undefined],
		]);
		expect(child.isOpen).toBe(false);
	});

	it("gives the first message of a run the run's id, and each further one an id of its own", () => {
		const { run, log } = begin();
		const child = run.begin({ name: "helper" });
		for (const one of [run, child]) {
			one.beginMessage();
			one.publish("told");
		}
		run.end({ event: "run.completed" });
		const begun = log.after(0).filter(({ event }) => event === "run.started");
		expect(begun.map(({ data }) => data.messageId)).toEqual([run.runId, child.runId]);
		const told = log.after(0).filter(({ event }) => event === ("told" as string));
		expect(new Set([...told.map(({ data }) => data.messageId), run.runId, child.runId]).size).toBe(4);
	});

	it("gives a call one output, also where what it came to was never said, and the call is given up", () => {
		const { run, log } = begin();
		const call = { toolCallId: "c", toolName: "t", providerExecuted: true };
		run.part({ ...call, type: "tool-call" }).complete();
		run.announceCall(call);
		expect(run.awaitsProvider("c")).toBe(true);
		run.part({ ...call, type: "tool-output" });
		expect(run.awaitsProvider("c")).toBe(false);
		run.abandonCalls(["c"], { code: "x", message: "given up" });
		run.end(FAILED);
		assertWholeLog(log.after(0));
	});

	it("ends once, though whoever is told of its last events ends it again and begins things anew", () => {
		const { run, log } = begin();
		const child = run.begin({ name: "helper" });
		for (const each of [run, child]) each.part({ type: "text" }).delta("x");
		log.subscribe(({ event }) => {
			if (event === "run.started") return;
			for (const each of [child, run]) {
				each.end({ event: "run.completed" });
				each.part({ type: "text" }).delta("late");
				each.step("model", 2).complete();
				each.publish("late.event");
				each.tell("metadata.updated", { type: "warning", message: "late" });
				each.announceCall({ toolCallId: "late", toolName: "t" });
			}
		});
		run.end(FAILED);
		assertWholeLog(log.after(0));
		expect(JSON.stringify(log.after(0))).not.toContain("late");
	});

	it("publishes nothing after its end, takes no number for it and returns nothing", () => {
		const { run, log } = begin();
		const child = run.begin({ name: "helper" });
		const part = child.part({ type: "text" });
		child.end({ event: "run.completed" });
		const last = log.lastSequenceNumber;
		part.delta("late");
		part.complete();
		child.part({ type: "text" }).delta("later");
		expect(child.publish("late.event")).toBeUndefined();
		expect(log.lastSequenceNumber).toBe(last);
		run.end({ event: "run.completed" });
		assertWholeLog(log.after(0));
	});

	it.each(["run.completed", "stream.ended", "part.created", "text.delta", "usage.updated"])("lets nobody else publish %s", (event) => {
		const { run, log } = begin();
		expect(() => run.publish(event)).toThrow(ConfigurationError);
		expect(log.lastSequenceNumber).toBe(1);
	});

	it("lets a tool begin no call and no output, which are the run's", () => {
		const { run, log } = begin();
		const tool = withinCall(run, "c", undefined);
		for (const type of ["tool-call", "tool-output", "picture", undefined])
			expect(() => tool.part({ type } as never)).toThrow("A tool cannot begin a part");
		expect(log.lastSequenceNumber).toBe(1);
		const begun = tool.begin({ name: "helper" });
		expect(log.after(1)[0]?.data).toMatchObject({ name: "helper", parentToolCallId: "c" });
		expect(() => begun.part({ type: "tool-output", toolCallId: "c" })).toThrow("A tool cannot begin a part");
		expect(Object.keys(begun).concat(Object.getOwnPropertyNames(Object.getPrototypeOf(tool)))).not.toContain("log");
		expect("end" in tool).toBe(false);
		begun.end({ event: "run.completed" });
		run.end({ event: "run.completed" });
		assertWholeLog(log.after(0));
	});

	it("cuts off what was begun beneath it, whose signal is aborted then, and lets nothing be begun any more", () => {
		const { run, log } = begin();
		const tool = withinCall(run, "c", undefined);
		const done = tool.begin({ name: "done" });
		done.end({ event: "run.completed" });
		const begun = tool.begin({ name: "helper" });
		expect([begun.signal?.aborted, done.signal?.aborted]).toEqual([false, false]);
		run.end({ event: "run.completed" });
		expect([begun.signal?.aborted, done.signal?.aborted]).toEqual([true, false]);
		expect(() => tool.begin({ name: "late" })).toThrow('beneath the run of "bob": that one is over');
		expect(() => begun.begin({ name: "later" })).toThrow(ConfigurationError);
		assertWholeLog(log.after(0));
	});

	it("hands raw output to whoever watches it and the runs above it", () => {
		const log = new EventLog({ history: 0 });
		const heard: string[] = [];
		const watcher = (name: string) => () => ({
			owner: {},
			output: (chunk: string) => void heard.push(`${name} ${chunk}`),
			ended: () => void heard.push(`${name} ended`),
		});
		const run = RunPublisher.root(log, { name: "bob" }, watcher("bob"));
		const child = run.begin({ name: "helper" }, watcher("helper"));
		child.output("x", "stdout");
		run.end({ event: "run.completed" });
		expect(heard).toEqual(["helper x", "bob x", "helper ended", "bob ended"]);
		expect(log.lastSequenceNumber).toBe(5);
	});
});

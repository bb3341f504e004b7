import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OutputEvent, SessionUpdate, ToolCallStart, ToolCallUpdate } from "../../src/update/output-event.js";
import { reduceToolCalls, type ToolCalls } from "../../src/update/reduce-tool-calls.js";
import { disordered } from "./random-log.js";

const NONE: ToolCalls = new Map();

const reduced = (...events: OutputEvent[]): ToolCalls => events.reduce(reduceToolCalls, NONE);
const text = (value: string) => [{ type: "content" as const, content: { type: "text" as const, text: value } }];

const start = (sequenceNumber?: number, facts: Partial<ToolCallStart> = {}, runId?: string): OutputEvent => ({
	update: { sessionUpdate: "tool_call", toolCallId: "c", title: "count", kind: "other", status: "pending", ...facts },
	...(sequenceNumber !== undefined && { sequenceNumber }),
	...(runId !== undefined && { runId }),
});

const update = (sequenceNumber?: number, facts: Partial<ToolCallUpdate> = {}): OutputEvent => ({
	update: { sessionUpdate: "tool_call_update", toolCallId: "c", ...facts },
	...(sequenceNumber !== undefined && { sequenceNumber }),
});

const card = (...events: OutputEvent[]) => reduced(...events).get("c");

describe("reduceToolCalls()", () => {
	it("shows the second call of a provider who uses its id again, and not the result of the first", () => {
		const first = [start(1), update(2, { status: "completed", content: text("old"), rawOutput: 1 })];
		const second = card(...first, start(3, { title: "again" }));
		expect(second).toMatchObject({ status: "pending", title: "again", isAnnounced: true });
		expect(second).not.toHaveProperty("content");
		expect(second).not.toHaveProperty("rawOutput");
		expect(card(...first, start(3), ...first, start(3), update(4, { status: "failed" }), ...first)).toMatchObject({ status: "failed" });
	});

	it("shows a call of the next run, whose numbers begin again, under an id that the last one had", () => {
		const last = [start(10, {}, "a"), update(20, { status: "completed", content: text("old") })];
		expect(card(...last, start(5, {}, "b"))).toMatchObject({ status: "pending", runId: "b" });
		expect(card(...last, start(5, {}, "b"), update(6, { status: "failed" }))).toMatchObject({ status: "failed" });
	});

	it("puts a call that begins anew behind the others", () => {
		const other: OutputEvent = {
			update: { sessionUpdate: "tool_call", toolCallId: "d", title: "d", kind: "other", status: "pending" },
			sequenceNumber: 3,
		};
		const before = [start(1), update(2, { status: "completed" }), other];
		expect([...reduced(...before).keys()]).toEqual(["c", "d"]);
		expect([...reduced(...before, start(4)).keys()]).toEqual(["d", "c"]);
		expect([...reduced(...before, start(4, {}, "another run")).keys()]).toEqual(["d", "c"]);
		expect([...reduced(...before, update(5, { title: "t" })).keys()]).toEqual(["c", "d"]);
	});

	it("keeps a call with all that its events say", () => {
		const call = start(1, { toolName: "count", kind: "read", rawInput: { n: 1 }, locations: [{ path: "/a" }] }, "r");
		const end = update(3, { status: "completed", content: text("3"), rawOutput: { n: 3 } });
		expect(card({ ...call, parentToolCallId: "above" }, update(2, { status: "in_progress", content: text("1") }), end)).toMatchObject({
			toolCallId: "c",
			status: "completed",
			isAnnounced: true,
			title: "count",
			toolName: "count",
			kind: "read",
			rawInput: { n: 1 },
			locations: [{ path: "/a" }],
			content: text("3"),
			rawOutput: { n: 3 },
			runId: "r",
			parentToolCallId: "above",
		});
	});

	it.each([
		[1, 2, 3],
		[undefined, undefined, undefined],
	])("takes an update before its call (numbers %s, %s, %s)", (...numbers) => {
		const [early, late] = [update(numbers[0], { status: "completed", title: "better", content: text("3") }), start(numbers[1])];
		expect(card(early)).toMatchObject({ status: "completed", isAnnounced: false, title: "better" });
		expect(card(early, late)).toMatchObject({ status: "completed", isAnnounced: true, kind: "other", content: text("3") });
	});

	it.each([
		["with numbers", [3, 4, 5]],
		["without", []],
	])("keeps what has ended so, %s", (_, [one, two, three]) => {
		for (const ended of ["completed", "failed"] as const) {
			const others = (["pending", "in_progress", "completed", "failed"] as const).map((status) => update(three, { status }));
			expect(card(start(one), update(two, { status: ended }), ...others)?.status).toBe(ended);
		}
	});

	it("lets an event without a number not take back the content of an end", () => {
		const ended = [start(), update(undefined, { status: "completed", content: text("result") })];
		expect(card(...ended, update(undefined, { status: "in_progress", content: text("res") }))?.content).toEqual(text("result"));
		expect(card(...ended, update(undefined, { status: "failed", content: text("no") }))?.content).toEqual(text("result"));
		expect(card(...ended, update(undefined, { content: text("more") }))?.content).toEqual(text("more"));
		const failed = [start(), update(undefined, { status: "failed", content: text("no") })];
		expect(card(...failed, update(undefined, { status: "completed", content: text("yes") }))).toMatchObject({
			status: "failed",
			content: text("no"),
		});
		expect(card(start(1), update(2, { status: "completed" }), update(undefined, { status: "failed" }))?.status).toBe("completed");
	});

	it("takes a call that is repeated without numbers for the same", () => {
		const ended = [start(), update(undefined, { status: "completed", title: "better" })];
		expect(card(...ended, start(undefined, { title: "count", rawInput: 1 }))).toMatchObject({
			status: "completed",
			title: "better",
			rawInput: 1,
		});
		expect(card(start(), update(undefined, { title: "better" }), start(undefined, { title: "count" }))?.title).toBe("better");
	});

	it("replaces content, and keeps what an update does not name", () => {
		expect(card(start(1), update(2, { content: text("a") }), update(3, { content: text("b") }), update(4))).toMatchObject({
			content: text("b"),
		});
		expect(card(start(1, { content: text("a") }), update(2, { content: [] }))).toMatchObject({ content: [] });
	});

	it("returns the same object for what changes nothing", () => {
		const events = [
			start(1),
			update(2, { status: "in_progress", content: text("a") }),
			update(3, { status: "completed", content: text("b") }),
		];
		const calls = reduced(...events);
		for (const event of events) expect(reduceToolCalls(calls, event)).toBe(calls);
		for (const event of [undefined, null, {}, { update: null }, { update: { sessionUpdate: "tool_call" } }]) {
			expect(reduceToolCalls(calls, event as OutputEvent)).toBe(calls);
		}
		const chunk: SessionUpdate = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "c" } };
		expect(reduceToolCalls(calls, { update: chunk, sequenceNumber: 9 })).toBe(calls);
		const plain = reduced(start(), update(undefined, { status: "completed", title: "better" }));
		expect(reduceToolCalls(plain, update(undefined, { status: "completed", title: "better" }))).toBe(plain);
		expect(reduceToolCalls(plain, start())).toBe(plain);
		expect(reduceToolCalls(plain, update(undefined, { status: "completed" }))).toBe(plain);
	});

	it("changes neither the calls nor the events it is given", () => {
		const before = reduced(start(1));
		const kept = structuredClone(before);
		const event = Object.freeze(update(2, Object.freeze({ status: "completed", content: Object.freeze(text("a")) })));
		expect(reduceToolCalls(before, event)).not.toBe(before);
		expect(before).toEqual(kept);
	});

	it("goes on from calls that were written to a file", () => {
		const [first, ...rest] = [start(1), update(2, { status: "completed" }), start(3), update(4, { status: "failed" })];
		const read = new Map(JSON.parse(JSON.stringify([...reduced(first as OutputEvent)])));
		expect(rest.reduce(reduceToolCalls, read as ToolCalls)).toEqual(reduced(first as OutputEvent, ...rest));
	});

	it("comes to the same in any order of neighbours and however often, ids used again included", () => {
		fc.assert(
			fc.property(
				randomEvents.chain((events) => fc.tuple(fc.constant(events), disordered(events))),
				([events, mixed]) => {
					expect(reduced(...mixed)).toEqual(reduced(...events));
				},
			),
			{ numRuns: 3_000 },
		);
	});

	it("comes to the same in any order at all, where no id is used again", () => {
		fc.assert(
			fc.property(
				randomEvents
					.map((events) => events.filter(({ update: { sessionUpdate } }, place) => sessionUpdate !== "tool_call" || place === 2))
					.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length }))),
				([events, mixed]) => {
					expect(reduced(...mixed)).toEqual(reduced(...events));
				},
			),
			{ numRuns: 1_000 },
		);
	});
});

const status = fc.constantFrom("pending", "in_progress", "completed", "failed");
const word = fc.constantFrom("a", "b", "c");

/** Events of two calls, numbered, in any sequence that somebody may send. */
const randomEvents: fc.Arbitrary<readonly OutputEvent[]> = fc
	.array(
		fc.oneof(
			fc.record({
				sessionUpdate: fc.constant("tool_call"),
				toolCallId: fc.constantFrom("c", "d"),
				title: word,
				kind: fc.constant("other"),
				status,
			}),
			fc.record(
				{
					sessionUpdate: fc.constant("tool_call_update"),
					toolCallId: fc.constantFrom("c", "d"),
					title: word,
					status,
					rawOutput: word,
					content: word.map(text),
				},
				{ requiredKeys: ["sessionUpdate", "toolCallId"] },
			),
		),
		{ maxLength: 14 },
	)
	.map((updates) => updates.map((told, place) => ({ update: told as SessionUpdate, sequenceNumber: place + 1 })));

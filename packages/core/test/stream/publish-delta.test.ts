import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamContext } from "../../src/stream/stream-context.js";
import { StreamEvents } from "../../src/stream/stream-events.js";

const context = (parentRunId?: string): StreamContext =>
	new StreamContext({
		runId: "run-1",
		messageId: "message-1",
		scope: "robot",
		publish: () => {},
		now: () => 5,
		...(parentRunId !== undefined && { parentRunId }),
	});

describe("StreamContext.publishDelta()", () => {
	it("publishes exactly what publishEvent() would, in the same order and frozen, for whatever it is handed", () => {
		const anything = fc.oneof(fc.string(), fc.anything());
		fc.assert(
			fc.property(
				fc.constantFrom(...StreamEvents.DELTA),
				anything,
				anything,
				fc.constantFrom(undefined, "run-0"),
				(event, id, piece, parent) => {
					const [partId, delta] = [id as string, piece as string];
					const published = context(parent).publishDelta({ event, partId, delta });
					const expected = context(parent).publishEvent({ event, data: { partId, delta } });
					expect(published).toEqual(expected);
					expect(JSON.stringify(published)).toBe(JSON.stringify(expected));
					expect([Object.isFrozen(published), Object.isFrozen(published.data)]).toEqual([true, true]);
				},
			),
		);
	});

	it("numbers it with the others, and hands it to the publisher", () => {
		const told: unknown[] = [];
		const one = new StreamContext({ runId: "r", messageId: "m", scope: "robot", publish: (event) => told.push(event) });
		one.publishEvent({ event: "part.created" });
		const delta = one.publishDelta({ event: "text.delta", partId: "p", delta: "Hi" });
		expect([delta.sequenceNumber, delta.id, told[1] === delta]).toEqual([2, "publish-2:text.delta", true]);
	});

	it("throws for a name that is no text", () => {
		expect(() => context().publishDelta({ event: 7 as never, partId: "p", delta: "Hi" })).toThrow(
			"its name must be text that is not empty",
		);
		expect(() => context().publishDelta({ event: "" as never, partId: "p", delta: "Hi" })).toThrow(
			"its name must be text that is not empty",
		);
	});
});

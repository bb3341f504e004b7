import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Plan, plans } from "./bus-schedule.js";
import { EXAMPLES, REACHED } from "./bus-schedule-examples.js";
import { type Played, SchedulePlayer } from "./bus-schedule-player.js";
import type { Fact } from "./bus-schedule-witness.js";

const seed = Date.now();
const played = new Map<string, Promise<Played>>();

/** All facts are looked for in the same schedules. */
function play(plan: Plan): Promise<Played> {
	const key = JSON.stringify(plan);
	const playing = played.get(key) ?? SchedulePlayer.play(plan);
	played.set(key, playing);
	return playing;
}

const always = (check: (played: Played) => void): Promise<void> =>
	fc.assert(
		fc.asyncProperty(plans, async (plan) => {
			check(await play(plan));
		}),
		{ seed, numRuns: 250, examples: Object.values(EXAMPLES).map((plan): [Plan] => [plan]) },
	);

const same =
	(fact: Fact) =>
	({ differences }: Played): void => {
		const compared = differences.get(fact);
		expect(compared?.actual).toEqual(compared?.expected);
	};

beforeEach(() => {
	// turns of the event loop go on: with them comes what follows at once
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
	vi.spyOn(process, "emitWarning").mockImplementation(() => {});
});

afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

it("The examples reach each manner of a handler, each reason of a dead letter, and each end of a send and of an answer", async () => {
	const reached = new Set<string>();
	for (const plan of Object.values(EXAMPLES)) for (const each of (await play(plan)).reached) reached.add(each);
	expect(REACHED.filter((each) => !reached.has(each))).toEqual([]);
});

describe("On several buses of one transport, whatever is done in whatever order,", () => {
	it("a handler is given each message that was sent to its member, until that leaves", () => always(same("owed")));

	it("a message is a dead letter once for each recipient that has not handled it, with the reason", () => always(same("letters")));

	it("no handler is given a message again without having refused it, failed or run out of time", () =>
		always(({ calls }) => {
			for (const [place, { seat, number, attempt, at, most }] of calls.entries()) {
				const before = calls.slice(0, place).filter((call) => call.seat === seat && call.number === number);
				expect(attempt).toBe(before.length + 1);
				expect(attempt).toBeLessThanOrEqual(most);
				for (const call of before) expect(call.wasRefused || call.deadline <= at).toBe(true);
			}
		}));

	it("a handler is given what one sender sent in the order in which it was sent", () =>
		always(({ calls }) => {
			const places = new Set(calls.map(({ seat, sender }) => `${seat} ${sender}`));
			for (const place of places) {
				const given = calls
					.filter(({ seat, sender, attempt }) => attempt === 1 && `${seat} ${sender}` === place)
					.map(({ number }) => number);
				expect(given).toEqual(given.toSorted((one, other) => one - other));
			}
		}));

	it("a handler has one message at a time", () =>
		always(({ calls }) => {
			expect(calls.filter(({ besides }) => besides > 0)).toEqual([]);
		}));

	it("a send resolves when each recipient's queue has taken it and no earlier, or says why not", () => always(same("sends")));

	it("a delivery can be settled once, and not when its time is up", () => always(same("settling")));

	it("a reply is in the outbox of who asked, and in no other", () => always(same("outboxes")));

	it("settled() and reply() come to what happened, when it has happened", () => always(same("outcomes")));

	it("idle() resolves when nothing is open, and no earlier", () => always(same("idleness")));

	it("the statistics count what happened", () => always(same("statistics")));

	it("the log is whole, and BusProjection reads from it what happened", () => always(same("logged")));
});

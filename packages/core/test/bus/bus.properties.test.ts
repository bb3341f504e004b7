import fc from "fast-check";
import { expect, it } from "vitest";
import { BusProjection } from "../../src/bus/bus-projection.js";
import type { DeliveryOutcome } from "../../src/bus/bus-transport.js";
import type { Delivery } from "../../src/bus/delivery.js";
import { type BusMember, MessageBus } from "../../src/bus/message-bus.js";
import type { RobotMessage } from "../../src/bus/robot-message.js";
import type { SentMessage } from "../../src/bus/sent-message.js";
import { BusError } from "../../src/errors/bus-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";

function groupsOf<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Map<unknown, Item[]> {
	const groups = new Map<unknown, Item[]>();
	for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
	return groups;
}

const NAMES = ["a", "b", "c"] as const;

/** What a handler does with one attempt. */
const manners = fc.constantFrom(
	"acks",
	"acks",
	"acks early",
	"nacks",
	"nacks early",
	"fails",
	"throws",
	"returns",
	"answers",
	"sends",
	"leaves",
	"asks",
) as fc.Arbitrary<Manner>;
type Manner = "acks" | "acks early" | "nacks" | "nacks early" | "fails" | "throws" | "returns" | "answers" | "sends" | "leaves" | "asks";

const steps = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ kind: fc.constant("send" as const), from: fc.nat(5), to: fc.constantFrom(...NAMES) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("abort" as const), from: fc.nat(5), to: fc.constantFrom(...NAMES) }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("leave" as const, "join" as const, "mute" as const), from: fc.nat(5) }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant("pause" as const), ticks: fc.nat(4) }) },
);

const plans = fc.record({
	maxPending: fc.integer({ min: 1, max: 3 }),
	maxAttempts: fc.integer({ min: 1, max: 3 }),
	members: fc.array(fc.record({ name: fc.constantFrom(...NAMES), kind: fc.constantFrom("auto", "manual", "tasks", "none") }), {
		minLength: 2,
		maxLength: 6,
	}),
	manners: fc.array(manners, { minLength: 12, maxLength: 12 }),
	steps: fc.array(steps, { minLength: 1, maxLength: 30 }),
	closes: fc.boolean(),
});
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

interface Attempted {
	readonly member: number;
	readonly key: string;
	readonly attempt: number;
	readonly sentNumber: unknown;
	ended: boolean;
}

interface Played {
	readonly bus: MessageBus;
	readonly log: EventLog;
	readonly sent: readonly SentMessage[];
	readonly outcomes: readonly (readonly DeliveryOutcome[])[];
	readonly attempts: readonly Attempted[];
	readonly errors: readonly unknown[];
}

async function play(plan: Plan, scheduler: fc.Scheduler): Promise<Played> {
	const log = new EventLog({ history: 100_000 });
	const bus = new MessageBus({ log, maxPending: plan.maxPending, maxAttempts: plan.maxAttempts });
	const members: BusMember[] = [];
	const sent: SentMessage[] = [];
	const attempts: Attempted[] = [];
	const errors: unknown[] = [];
	const sending: Promise<unknown>[] = [];
	let number = 0;
	let turns = 0;

	const send = (from: BusMember | undefined, to: string, signal?: AbortSignal): void => {
		if (from === undefined || number >= 60) return;
		sending.push(
			from.sendMessage({ to, content: ++number, signal }).then(
				(message) => void sent.push(message),
				(error) => void errors.push(error),
			),
		);
	};
	const handle = (member: number) => (message: RobotMessage, delivery: Delivery) => {
		const open = attempts.filter((other) => other.member === member && !other.ended);
		if (open.length > 0) errors.push("two at a time");
		const attempt: Attempted = { member, key: message.key, attempt: delivery.attempt, sentNumber: message.content, ended: false };
		attempts.push(attempt);
		const manner = plan.manners[turns++ % plan.manners.length] as Manner;
		const isManual = plan.members[member]?.kind === "manual";
		if (manner === "acks early") delivery.ack();
		if (manner === "nacks early") delivery.nack("early");
		if (manner === "throws") {
			attempt.ended = true;
			throw new Error("throws");
		}
		if (manner === "returns") {
			attempt.ended = true;
			if (isManual) delivery.ack();
			return "returned";
		}
		return scheduler.schedule(Promise.resolve(), `${member}`).then(async () => {
			try {
				if (manner === "nacks") delivery.nack("refused");
				if (manner === "fails") throw new Error("fails");
				if (manner === "answers" && !message.isReply) void delivery.reply("by hand").catch((error: unknown) => errors.push(error));
				if (manner === "sends") send(members[member], NAMES[turns % 3] ?? "a");
				if (manner === "leaves") members[member]?.leaveBus();
				if (isManual && !manner.startsWith("nacks") && manner !== "acks early") delivery.ack();
			} catch (error) {
				if (!(BusError.isInstance(error) && error.code === "already_settled")) throw error;
				errors.push(error);
			} finally {
				attempt.ended = true;
			}
			return manner === "asks" ? "answer" : undefined;
		});
	};
	const join = (place: number): void => {
		const { name, kind } = plan.members[place] as Plan["members"][number];
		const member = bus.join(name);
		members[place] = member;
		if (kind === "auto") member.onMessage(handle(place));
		if (kind === "manual") member.onMessage(handle(place), { ack: "manual" });
		if (kind === "tasks") member.respondToTasks(handle(place));
	};
	for (const place of plan.members.keys()) join(place);
	const walk = async (): Promise<void> => {
		for (const step of plan.steps) {
			if (step.kind === "pause") {
				for (let tick = 0; tick < step.ticks; tick++) await scheduler.schedule(Promise.resolve(), "pause");
				continue;
			}
			const member = members[step.from];
			if (step.kind === "send") send(member, step.to);
			if (step.kind === "abort") {
				const stop = new AbortController();
				send(member, step.to, stop.signal);
				await scheduler.schedule(Promise.resolve(), "abort");
				stop.abort("aborted");
			}
			if (step.kind === "leave") member?.leaveBus();
			// a member that is at work does not come back: another would handle beside it
			if (
				step.kind === "join" &&
				member?.bus === undefined &&
				plan.members[step.from] &&
				attempts.every((each) => each.member !== step.from || each.ended)
			)
				join(step.from);
		}
		if (plan.closes) await bus.close();
		await bus.idle();
	};
	await scheduler.waitFor(walk());
	await scheduler.waitFor(Promise.all(sending));
	await scheduler.waitFor(bus.idle());
	const outcomes = await Promise.all(sent.map((message) => message.settled()));
	if (!plan.closes) await bus.close();
	return { bus, log, sent, outcomes, attempts, errors };
}

it("keeps its promises over random members, handlers, queues and orders", async () => {
	const seen = new Set<string>();
	await fc.assert(
		fc.asyncProperty(plans, fc.scheduler(), async (plan, scheduler) => {
			const { bus, log, sent, outcomes, attempts, errors } = await play(plan, scheduler);
			const letters = bus.deadLetters.drain();
			const stats = Object.values(bus.stats);
			const sum = (name: keyof (typeof stats)[number]): number => stats.reduce((total, channel) => total + channel[name], 0);

			// no loss: each recipient of each message is done with it exactly once
			for (const [place, message] of sent.entries()) expect(outcomes[place]).toHaveLength(message.recipients);
			for (const { reason, attempts: tried } of letters) {
				seen.add(reason);
				expect(tried).toBeLessThanOrEqual(plan.maxAttempts);
			}
			expect(sum("deadLettered")).toBe(letters.length);
			expect(sum("waiting") + sum("handling")).toBe(0);
			expect(errors).not.toContain("two at a time");
			for (const error of errors) seen.add(BusError.isInstance(error) ? error.code : String(error));

			// no duplicate without a nack: the attempts of one member at one message count up, within what is allowed
			const tries = groupsOf(attempts, ({ member, key }) => `${member} ${key}`);
			for (const each of tries.values()) {
				const counted = each.map(({ attempt }) => attempt);
				// a member that left and came back is another to the bus, but never gets the same message
				expect(counted).toEqual(Array.from({ length: each.length }, (_, index) => index + 1));
				expect(each.length).toBeLessThanOrEqual(plan.maxAttempts);
				if (each.length > 1) seen.add("redelivered");
			}
			expect(sum("redelivered")).toBe([...tries.values()].reduce((total, each) => total + each.length - 1, 0));

			// order: each member is given what one sender sent in the order in which it was sent
			for (const mine of groupsOf(attempts, ({ member }) => member).values()) {
				for (const ofSender of groupsOf(mine, ({ key }) => key.split(":")[0]).values()) {
					const numbers = ofSender.filter(({ attempt, sentNumber }) => attempt === 1 && typeof sentNumber === "number");
					expect(numbers).toEqual(numbers.toSorted((one, other) => Number(one.key.split(":")[1]) - Number(other.key.split(":")[1])));
				}
			}

			// the log is whole, and tells the same
			const events = log.after(0);
			assertWholeLog(events);
			const projection = new BusProjection();
			for (const event of events) projection.observe(event);
			const { messages } = projection;
			expect(messages.filter(({ recipients }) => recipients > 0)).toHaveLength(sum("published"));
			expect(messages.flatMap((message) => message.attempts)).toHaveLength(attempts.length);
			for (const message of sent) expect(messages.find(({ key }) => key === message.key)?.recipients).toBe(message.recipients);
			if (!plan.closes) expect(messages.flatMap(({ deaths }) => deaths)).toHaveLength(letters.length);
			for (const { deaths, attempts: tried } of messages)
				for (const death of deaths)
					if (death.reason === "failed") expect(tried.some(({ attempt }) => attempt === death.attempts)).toBe(true);

			// every delivery ended: handled or dead, of which those were not delivered that waited for room
			expect(
				sum("acked") + letters.filter(({ attempts: tried, reason }) => tried > 0 || reason === "no_handler").length,
			).toBeLessThanOrEqual(sum("delivered"));
			expect(sum("acked") + letters.length).toBeGreaterThanOrEqual(sum("delivered"));
			if (attempts.length > 0) seen.add("handled");
			if (sum("throttled") > 0) seen.add("throttled");
		}),
		{ numRuns: 300 },
	);
	const expected = [
		"failed",
		"nacked",
		"no_handler",
		"left",
		"closed",
		"redelivered",
		"handled",
		"throttled",
		"aborted",
		"unknown_recipient",
		"no_bus",
	];
	for (const kind of expected) expect(seen).toContain(kind);
});

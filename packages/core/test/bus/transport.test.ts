import { describe, expect, it } from "vitest";
import type { BusConnection, DeliveryOutcome, TransportDelivery } from "../../src/bus/bus-transport.js";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { describeBusTransport } from "../../src/testing/bus-transport-contract.js";
import { collectGarbage } from "../memory/collect-garbage.js";

describeBusTransport("InProcessTransport", () => new InProcessTransport(), { describe, it });

const connect = (transport: InProcessTransport): BusConnection =>
	transport.connect({ onSettled: () => {}, onWaiting: () => {}, onReply: () => {}, onLost: () => {} });

const publish = (connection: BusConnection, content: object, signal?: AbortSignal): number | Promise<number> =>
	connection.publish({ id: connection.nextId(), from: "a", to: "critic", content: { ...content } }, signal);

it("InProcessTransport answers with a number, and has delivered by then, where all have room", () => {
	const connection = connect(new InProcessTransport());
	const contents: unknown[] = [];
	expect(publish(connection, { n: 0 })).toBe(0);
	connection.subscribe("critic", { capacity: 2, receive: ({ message }) => contents.push(message.content) });
	connection.subscribe("critic", { capacity: 2, receive: ({ message }) => contents.push(message.content) });
	expect(publish(connection, { n: 1 })).toBe(2);
	expect(contents).toEqual([{ n: 1 }, { n: 1 }]);
	expect(connection.channels()).toEqual(["critic"]);
});

it("InProcessTransport delivers in the order of the calls, whoever publishes", async () => {
	const transport = new InProcessTransport();
	const connections = Array.from({ length: 5 }, () => connect(transport));
	const contents: unknown[] = [];
	connections[0]?.subscribe("critic", {
		capacity: 1,
		receive: (delivery) => {
			contents.push(delivery.message.content);
			setImmediate(() => delivery.ack());
		},
	});
	const numbers = Array.from({ length: 100 }, (_, n) => ({ n }));
	await Promise.all(
		connections
			.flatMap((_, who) => numbers.slice(who * 20, who * 20 + 20))
			.map((content) => publish(connections[content.n % 5] as BusConnection, content)),
	);
	expect(contents).toEqual(numbers);
});

it("InProcessTransport hands nothing to who left, or whose connection closed, while others received", () => {
	const transport = new InProcessTransport();
	const outcomes: DeliveryOutcome[] = [];
	const sender = transport.connect({
		onSettled: (_, outcome) => outcomes.push(outcome),
		onWaiting: () => {},
		onReply: () => {},
		onLost: () => {},
	});
	const [leaving, closing] = [connect(transport), connect(transport)];
	sender.subscribe("critic", {
		capacity: 1,
		receive: () => {
			subscription.unsubscribe();
			closing.close();
		},
	});
	const subscription = leaving.subscribe("critic", { capacity: 1, receive: () => expect.unreachable() });
	closing.subscribe("critic", { capacity: 1, receive: () => expect.unreachable() });
	expect(publish(sender, {})).toBe(3);
	expect(outcomes).toEqual([
		{ state: "dead", reason: "closed", attempts: 0 },
		{ state: "dead", reason: "left", attempts: 0 },
	]);
});

it("InProcessTransport goes on when somebody who receives runs out of stack", () => {
	const connection = connect(new InProcessTransport());
	const contents: unknown[] = [];
	connection.subscribe("critic", {
		capacity: 9,
		receive: ({ message }) => {
			if (contents.push(message.content) === 1) throw new RangeError("Maximum call stack size exceeded");
		},
	});
	expect(() => publish(connection, { n: 1 })).toThrow(RangeError);
	expect(publish(connection, { n: 2 })).toBe(1);
	expect(contents).toEqual([{ n: 1 }, { n: 2 }]);
});

describe("a signal of somebody else's making", () => {
	const signal = (methods: object): AbortSignal =>
		Object.assign(Object.create(null), { aborted: false, reason: "enough", addEventListener() {}, removeEventListener() {}, ...methods });
	const fails = (): never => {
		throw new TypeError("this is no signal");
	};

	/** Two subscribers, one of which has no more room. */
	function stage() {
		const transport = new InProcessTransport();
		const [sender, receiver] = [connect(transport), connect(transport)];
		const taken: { content: unknown; ack(): void }[] = [];
		const receive = (delivery: TransportDelivery): void =>
			void taken.push({ content: delivery.message.content, ack: () => delivery.ack() });
		const other: unknown[] = [];
		receiver.subscribe("critic", { capacity: 1, receive });
		receiver.subscribe("critic", { capacity: 9, receive: ({ message }) => other.push(message.content) });
		publish(sender, { n: 1 });
		return { sender, taken, other };
	}

	it("that cannot be listened to is thrown before anybody has the message, and others go on", async () => {
		const { sender, taken, other } = stage();
		expect(() => publish(sender, { n: 2 }, signal({ addEventListener: fails }))).toThrow("this is no signal");
		expect(() => sender.untilSubscribed("nobody", signal({ addEventListener: fails }))).toThrow("this is no signal");
		const waiting = publish(sender, { n: 3 });
		taken[0]?.ack();
		expect(await waiting).toBe(2);
		// what nobody waits for is no unhandled rejection
		sender.close();
		expect([taken.map(({ content }) => content), other]).toEqual([
			[{ n: 1 }, { n: 3 }],
			[{ n: 1 }, { n: 3 }],
		]);
	});

	it("that cannot be left does not disturb who makes room", async () => {
		const { sender, taken } = stage();
		const waiting = publish(sender, { n: 2 }, signal({ removeEventListener: fails }));
		const arrival = sender.untilSubscribed("late", signal({ removeEventListener: fails }));
		expect(() => taken[0]?.ack()).not.toThrow();
		expect(await waiting).toBe(2);
		expect(() => sender.subscribe("late", { capacity: 1, receive: () => {} })).not.toThrow();
		await arrival;
	});

	it("that has no reason to give gives the failure", async () => {
		const { sender } = stage();
		let abort = (): void => {};
		const listening = (_: string, listener: () => void): void => {
			abort = listener;
		};
		const mute = Object.defineProperty(signal({ addEventListener: listening }), "reason", { get: fails });
		const waiting = publish(sender, { n: 2 }, mute);
		expect(abort).not.toThrow();
		await expect(waiting).rejects.toThrow("this is no signal");
	});
});

it("InProcessTransport keeps nothing of what is settled or was given up, also where it had to wait", async () => {
	const connection = connect(new InProcessTransport());
	const signal = new AbortController().signal;
	const references: WeakRef<object>[] = [];
	const subscription = connection.subscribe("critic", {
		capacity: 1,
		receive: (delivery) => {
			references.push(new WeakRef(delivery), new WeakRef(delivery.message.content as object));
			setImmediate(() => delivery.ack());
		},
	});
	const given = new AbortController();
	await Promise.all(Array.from({ length: 20 }, (_, n) => publish(connection, { n }, signal)));
	const waiting = [publish(connection, { n: 20 }), publish(connection, { n: 21 }, given.signal)];
	given.abort("enough");
	expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
	await new Promise(setImmediate);
	await collectGarbage();
	expect(references.length).toBe(42);
	expect(references.filter((reference) => reference.deref() !== undefined)).toEqual([]);
	subscription.unsubscribe();
});

it("InProcessTransport keeps no wait that is over", async () => {
	const connection = connect(new InProcessTransport());
	const references = [1, 2].map(() => {
		const aborting = new AbortController();
		const waiting = connection.untilSubscribed("nobody", aborting.signal) ?? expect.unreachable();
		waiting.catch(() => {});
		aborting.abort("enough");
		return new WeakRef(waiting);
	});
	await new Promise(setImmediate);
	await collectGarbage();
	expect(references.map((reference) => reference.deref())).toEqual([undefined, undefined]);
	connection.close();
});

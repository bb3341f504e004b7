import { once } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { InProcessTransport } from "../../src/bus/in-process-transport.js";
import { serveBus } from "../../src/threads/serve-bus.js";
import { threadTransport } from "../../src/threads/thread-transport.js";
import { Listener } from "./bus-listener.js";

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

const NOT_OURS = [
	undefined,
	null,
	0,
	"robotLabBus",
	[],
	{},
	new Map([["robotLabBus", 1]]),
	cyclic,
	{ kind: "connect", connection: "a" },
	new Date(),
];

const message = { id: "1", from: "a", to: "b", content: 1 };
const publish = (more: object): object => ({
	kind: "publish",
	connection: "a",
	request: 1,
	canAbort: false,
	message: { ...message, ...more },
});
const subscribe = (more: object): object => ({ kind: "subscribe", connection: "a", request: 2, channel: "a", capacity: 1, ...more });
const settle = (outcome: unknown): object => ({ kind: "settle", connection: "a", delivery: 1, outcome });

const FROM_GUEST: readonly (readonly [said: object, flaw: RegExp])[] = [
	[{}, /kind: is undefined/],
	[{ kind: "__proto__" }, /kind: .*__proto__.* is unknown/],
	[{ kind: "toString", connection: "a" }, /is unknown/],
	[{ kind: "serving" }, /is unknown/],
	[{ kind: "connect", connection: "a", robotLabBus: 2 }, /version 2, and this side speaks 1/],
	[{ kind: "connect", connection: "a", robotLabBus: { toString: 1 } }, /this side speaks 1/],
	[Object.assign([], { kind: "connect", connection: "a" }), /no record/],
	[{ kind: "connect" }, /connection: is undefined/],
	[{ kind: "connect", connection: "a" }, /opens a connection that is open/],
	[publish({ content: new Map() }), /content: .*Map/],
	[publish({ content: cyclic }), /content: .*holds itself/],
	[publish({ content: [undefined] }), /content: .*value\[0\]/],
	[publish({ content: undefined }), /content: /],
	[publish({ id: 1 }), /message: id: is 1/],
	[publish({ to: ["b"] }), /message: to: /],
	[publish({ inReplyTo: null }), /message: inReplyTo: /],
	[{ ...publish({}), request: -1 }, /request: is -1/],
	[{ ...publish({}), canAbort: 1 }, /canAbort: is 1/],
	[{ ...publish({}), message: new Map() }, /message: .*no record/],
	[subscribe({ capacity: 0 }), /capacity: is 0/],
	[subscribe({ capacity: Number.POSITIVE_INFINITY }), /capacity: /],
	[subscribe({ capacity: "1" }), /capacity: /],
	[subscribe({ channel: undefined }), /channel: /],
	[settle({ state: "done" }), /state: .*neither acked nor dead/],
	[settle({ state: "dead", reason: "toString", attempts: 1 }), /reason: /],
	[settle({ state: "dead", reason: "failed", attempts: 0.5 }), /attempts: /],
	[settle({ state: "dead", reason: "failed", attempts: 1, error: { code: 1, message: "" } }), /code: is 1/],
	[settle(null), /outcome: .*no record/],
];

const HARMLESS: readonly object[] = [
	settle({ state: "acked" }),
	{ kind: "withdraw", connection: "a", request: 77 },
	{ kind: "unsubscribe", connection: "a", subscription: 77 },
	{ kind: "close", connection: "nobody's", request: 1 },
	{ ...publish({}), connection: "nobody's" },
];

function channel(): MessageChannel {
	const made = new MessageChannel();
	onTestFinished(() => made.port1.close());
	return made;
}

/** Resolves with the first message of a kind. */
async function heard(port: MessagePort, kind: string): Promise<unknown> {
	for (;;) {
		const [said] = await once(port, "message");
		if (said.kind === kind) return said;
	}
}

describe("serveBus", () => {
	it.each(FROM_GUEST.map(([said, flaw]) => [flaw, said] as const))(
		"ends for a port on which something wrong is posted, tells why, and goes on with others: %s",
		async (flaw, said) => {
			const transport = new InProcessTransport();
			const [bad, good] = [channel(), channel()];
			serveBus(transport, bad.port1);
			serveBus(transport, good.port1);
			const [main, member] = [new Listener(transport), new Listener(threadTransport(good.port2))];
			await member.connection.subscribe("b", { capacity: 9, receive: (delivery) => delivery.ack() }).ready;
			const ended = heard(bad.port2, "ended");
			bad.port2.postMessage({ robotLabBus: 1, kind: "connect", connection: "a" });
			bad.port2.postMessage({ robotLabBus: 1, kind: "subscribe", connection: "a", request: 1, channel: "b", capacity: 1 });
			bad.port2.postMessage(Array.isArray(said) ? Object.assign(said, { robotLabBus: 1 }) : { robotLabBus: 1, ...said });
			expect(await ended).toMatchObject({ robotLabBus: 1, reason: expect.stringMatching(flaw) });
			expect(main.publish("b", 1)).toBe(1);
			await main.settled(1);
			expect([main.outcomes, main.connection.channels()]).toEqual([[{ state: "acked" }], ["b"]]);
			expect(Reflect.get({}, "self")).toBeUndefined();
		},
	);

	it("passes over what does not belong to a bus, and what is about what is gone", async () => {
		const transport = new InProcessTransport();
		const { port1, port2 } = channel();
		serveBus(transport, port1);
		const [main, member] = [new Listener(transport), new Listener(threadTransport(port2))];
		await member.connection.subscribe("b", { capacity: 9, receive: (delivery) => delivery.ack() }).ready;
		port2.postMessage({ robotLabBus: 1, kind: "connect", connection: "a" });
		for (const said of NOT_OURS) port2.postMessage(said);
		for (const said of HARMLESS) port2.postMessage({ robotLabBus: 1, ...said });
		expect(await member.publish("b", 1)).toBe(1);
		await member.settled(1);
		expect([member.lost, main.outcomes]).toEqual([[], []]);
	});

	it("gives up what is with a port on which something comes that cannot be read", async () => {
		const transport = new InProcessTransport();
		const { port1, port2 } = channel();
		serveBus(transport, port1);
		const [main, member] = [new Listener(transport), new Listener(threadTransport(port2))];
		await member.connection.subscribe("b", { capacity: 9, receive: () => {} }).ready;
		main.publish("b", 1);
		port1.emit("messageerror", new Error("not to be read"));
		expect(main.outcomes).toEqual([{ state: "dead", reason: "lost", attempts: 0 }]);
	});
});

it("serveBus says nothing more when it has said that it ended", async () => {
	const { port1, port2 } = channel();
	const service = serveBus(new InProcessTransport(), port1);
	const said: unknown[] = [];
	port2.on("message", ({ kind }) => said.push(kind));
	for (const asked of [{ kind: "connect", connection: "a" }, subscribe({ channel: "b" }), publish({}), publish({ id: "2" })])
		port2.postMessage({ robotLabBus: 1, ...asked });
	await heard(port2, "delivery");
	service.stop();
	port1.postMessage({ kind: "last" });
	await heard(port2, "last");
	expect(said.slice(said.indexOf("ended"))).toEqual(["ended", "last"]);
});

describe("threadTransport", () => {
	/** A member that has subscribed, and a host that says what it is told to. */
	async function member(): Promise<{ readonly listener: Listener; readonly port: MessagePort; readonly connection: string }> {
		const { port1, port2 } = channel();
		const listener = new Listener(threadTransport(port2));
		const connected = heard(port1, "connect");
		port1.postMessage({ robotLabBus: 1, kind: "serving" });
		return { listener, port: port1, connection: Object(await connected).connection };
	}

	it.each([
		[{ kind: "open" }, /is unknown/],
		[{ kind: "settled", messageId: "1", outcome: { state: "acked", reason: 1 }, connection: 1 }, /connection: is 1/],
		[{ kind: "settled", messageId: "1", outcome: {} }, /state: is undefined/],
		[{ kind: "delivery", subscription: 1, delivery: 1, message: { ...message, content: new Map() } }, /content/],
		[{ kind: "reply", message: {} }, /message: id/],
		[{ kind: "lost" }, /reason: is undefined/],
		[{ kind: "answer", request: 1, value: {} }, /value: /],
		[{ kind: "serving", robotLabBus: "2" }, /version "2"/],
	])("is lost when the other side says %o, and tells it why", async (said, flaw) => {
		const { listener, port, connection } = await member();
		const refused = Promise.resolve(listener.publish("b", 1)).catch((error: unknown) => error);
		const ended = heard(port, "ended");
		port.postMessage({ robotLabBus: 1, connection, ...said });
		expect(await ended).toMatchObject({ reason: expect.stringMatching(flaw) });
		expect(await refused).toMatchObject({ name: "BusError", code: "connection_lost", message: expect.stringMatching(flaw) });
		expect(listener.lost).toEqual([expect.stringMatching(flaw)]);
	});

	it("passes over what does not belong to a bus, and what is about what is gone", async () => {
		const { listener, port, connection } = await member();
		const published = listener.publish("b", 1);
		for (const said of NOT_OURS) port.postMessage(said);
		for (const said of [
			{ kind: "answer", connection: "nobody's", request: 1, value: 7 },
			{ kind: "answer", connection, request: 77, value: 7 },
			{ kind: "serving" },
		])
			port.postMessage({ robotLabBus: 1, ...said });
		port.postMessage({ robotLabBus: 1, kind: "answer", connection, request: 1, value: 0 });
		expect(await published).toBe(0);
		expect(listener.lost).toEqual([]);
	});

	it("refuses a publish whose answer is that to another question", async () => {
		const { listener, port, connection } = await member();
		const published = listener.publish("b", 1);
		port.postMessage({ robotLabBus: 1, kind: "answer", connection, request: 1, value: ["b"] });
		await expect(published).rejects.toMatchObject({ name: "BusError", code: "connection_lost" });
	});

	it("is told of no reply while it closes", async () => {
		const { listener, port, connection } = await member();
		const asked = heard(port, "close");
		const closed = listener.connection.close();
		const { request } = Object(await asked);
		port.postMessage({ robotLabBus: 1, kind: "reply", connection, message });
		port.postMessage({ robotLabBus: 1, kind: "answer", connection, request });
		await closed;
		expect([listener.replies, listener.lost]).toEqual([[], []]);
	});

	it("says nothing of a connection that was closed before anybody was there", async () => {
		const { port1, port2 } = channel();
		const transport = threadTransport(port2);
		const [leaving, staying] = [new Listener(transport), new Listener(transport)];
		const given = leaving.publish("b", 1);
		await leaving.connection.close();
		await expect(given).rejects.toMatchObject({ code: "closed" });
		// nobody answers
		Promise.resolve(staying.connection.channels()).catch(() => {});
		const said: unknown[] = [];
		port1.on("message", ({ kind }) => said.push(kind));
		const asked = heard(port1, "channels");
		port1.postMessage({ robotLabBus: 1, kind: "serving" });
		await asked;
		expect(said).toEqual(["open", "connect", "channels"]);
	});

	it("settles as left what was on its way when the subscription ended", async () => {
		const { listener, port, connection } = await member();
		const subscription = listener.connection.subscribe("b", { capacity: 1, receive: () => expect.unreachable() });
		subscription.unsubscribe();
		const settled = heard(port, "settle");
		port.postMessage({ robotLabBus: 1, kind: "delivery", connection, subscription: 1, delivery: 5, message });
		expect(await settled).toMatchObject({ delivery: 5, outcome: { state: "dead", reason: "left", attempts: 0 } });
	});
});

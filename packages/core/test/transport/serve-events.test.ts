import { once } from "node:events";
import { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { type ServeEventsOptions, serveEvents } from "../../src/transport/serve-events.js";
import { publishedRun, publishedTo, turns, until } from "./published-run.js";
import { type Connection, type ConnectOptions, connect, envelopeOf, type Message, SseParser } from "./sse-client.js";
import { CountingLog, sseServer } from "./sse-server.js";

/** What a client of a log that has ended gets. */
async function served(log: EventLog, query = "", options: ConnectOptions & { readonly serve?: ServeEventsOptions } = {}) {
	await using server = await sseServer(log, options.serve);
	const messages: Message[] = [];
	const parser = new SseParser((message) => messages.push(message));
	const connection: Connection = await connect(server.url + query, parser, options);
	return { messages, parser, connection, ids: messages.map(({ id, type }) => (type === "message" ? Number(id) : type)) };
}

/** One to five, of which the last ends it. */
function shortRun(history?: number) {
	const run = publishedRun(history === undefined ? {} : { history });
	run.event("run.started", { name: "bob" });
	run.text("p", "one\ntwo\r\n\u2028 ");
	run.event("my.own", { note: "data: x\n\nid: 9" });
	run.text("p", "é🦊");
	run.end();
	return run;
}

describe("serveEvents", () => {
	it("sends each envelope as one unnamed message whose id is its number", async () => {
		const { log } = shortRun();
		const { messages } = await served(log);
		expect(messages.map(envelopeOf)).toEqual(log.after(0));
		expect(messages.map(({ id, type }) => [id, type])).toEqual(["1", "2", "3", "4", "5"].map((id) => [id, "message"]));
	});

	it("answers before there is an event, in a way that no proxy may hold back", async () => {
		await using server = await sseServer(publishedRun().log, {
			headers: { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store" },
		});
		const { headers, status, body } = await fetch(server.url);
		await body?.cancel();
		expect(status).toBe(200);
		expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
		expect(headers.get("x-accel-buffering")).toBe("no");
		expect(headers.get("access-control-allow-origin")).toBe("*");
		expect(headers.get("cache-control")).toBe("no-store");
		await using plain = await sseServer(publishedRun().log);
		const answer = await fetch(plain.url);
		await answer.body?.cancel();
		expect(answer.headers.get("cache-control")).toBe("no-cache, no-transform");
	});

	it.each([
		["no id begins at the beginning", "", {}, [1, 2, 3, 4, 5]],
		["?after= goes on behind a number", "?x=1&after=3", {}, [4, 5]],
		["Last-Event-ID goes on behind a number", "", { "last-event-id": "2" }, [3, 4, 5]],
		["Last-Event-ID counts before the address of the first request", "?after=1", { "last-event-id": "4" }, [5]],
		["an empty Last-Event-ID is none", "?after=3", { "last-event-id": "" }, [4, 5]],
		["an empty ?after= is none", "?after=", {}, [1, 2, 3, 4, 5]],
		["a number ahead of the log begins anew", "?after=6", {}, ["resync", 1, 2, 3, 4, 5]],
		["a word begins anew", "?after=abc", {}, ["resync", 1, 2, 3, 4, 5]],
		["a negative number begins anew", "?after=-1", {}, ["resync", 1, 2, 3, 4, 5]],
		["a fraction begins anew", "?after=1.5", {}, ["resync", 1, 2, 3, 4, 5]],
		["a number written otherwise begins anew", "?after=0x1", {}, ["resync", 1, 2, 3, 4, 5]],
		["a number too large to count begins anew", "?after=99999999999999999999", {}, ["resync", 1, 2, 3, 4, 5]],
		["an address that cannot be parsed is one without a number", "//?", {}, [1, 2, 3, 4, 5]],
	])("%s", async (_, query, headers, expected) => {
		expect((await served(shortRun().log, query, { headers })).ids).toEqual(expected);
	});

	it("tells what was missed, and from where it goes on", async () => {
		const dataOf = async (history: number, query: string): Promise<unknown> => {
			const { messages, ids } = await served(shortRun(history).log, query);
			expect(ids).toEqual(["resync", ...(history === 2 ? [4, 5] : [1, 2, 3, 4, 5])]);
			expect(messages[0]?.id).toBe(history === 2 ? "3" : "0");
			return JSON.parse(messages[0]?.data ?? "");
		};
		expect(await dataOf(2, "")).toEqual({ after: 0, first: 4, last: 5 });
		expect(await dataOf(2, "?after=1")).toEqual({ after: 1, first: 4, last: 5 });
		expect(await dataOf(9, "?after=7")).toEqual({ after: 7, first: 1, last: 5 });
		expect(await dataOf(9, "?after=x")).toEqual({ after: null, first: 1, last: 5 });
	});

	it("gives a snapshot in place of what it has, and no event twice", async () => {
		const serve = { snapshot: () => ({ state: "all" }) };
		const { messages } = await served(shortRun(2).log, "?after=1", { serve });
		expect(messages.map(({ id, data }) => [id, JSON.parse(data)])).toEqual([
			["5", { after: 1, first: 6, last: 5, snapshot: { state: "all" } }],
		]);
	});

	it("goes on with what is kept where there can be no snapshot, and warns the host once", async () => {
		const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
		onTestFinished(() => void warn.mockRestore());
		const failing = (): never => {
			throw new Error("no state");
		};
		for (const snapshot of [failing, () => 1n, () => undefined]) {
			const { messages, ids } = await served(shortRun(2).log, "", { serve: { snapshot } });
			expect(ids).toEqual(["resync", 4, 5]);
			expect(JSON.parse(messages[0]?.data ?? "")).toEqual({ after: 0, first: 4, last: 5 });
		}
		expect(warn.mock.calls).toEqual([[expect.stringContaining("no state"), { code: "ROBOT_LAB_SNAPSHOT_FAILED" }]]);
	});

	it("tells of numbers that were never in the log, each gap once", async () => {
		const log = new EventLog();
		for (const { sequenceNumber, ...event } of shortRun().log.after(0)) {
			log.publish({ ...event, sequenceNumber: sequenceNumber * (sequenceNumber > 2 ? 10 : 1) });
		}
		const { ids, messages } = await served(log);
		expect(ids).toEqual([1, 2, "resync", 30, "resync", 40, "resync", 50]);
		expect(JSON.parse(messages[2]?.data ?? "")).toEqual({ after: 2, first: 30, last: 50 });
		expect((await served(log, "?after=35")).ids).toEqual(["resync", 40, "resync", 50]);
	});

	it("does not go on within what one event stands for", async () => {
		const log = new EventLog();
		const [started, , , , ended] = shortRun().log.after(0);
		if (started === undefined || ended === undefined) throw new Error("no run");
		log.publish(started);
		log.publish({ ...ended, event: "text.delta", sequenceNumber: 4, firstSequenceNumber: 2 } as StreamEvent);
		log.publish(ended);
		expect((await served(log, "?after=1")).ids).toEqual([4, 5]);
		expect((await served(log, "?after=4")).ids).toEqual([5]);
		expect((await served(log, "?after=2")).ids).toEqual(["resync", 1, 4, 5]);
	});

	it("begins where a log begins whose first number is not 1", async () => {
		const log = new EventLog();
		for (const event of shortRun().log.after(2)) log.publish(event);
		expect((await served(log)).ids).toEqual([3, 4, 5]);
		expect((await served(log, "?after=1")).ids).toEqual([3, 4, 5]);
	});

	it("joins the deltas of a part that wait in a row, and those only", async () => {
		const run = publishedRun();
		for (const [part, delta] of ["a1", "a2", "b3", "a4", "a5"].map(([part = "", delta = ""]) => [part, delta]))
			run.text(part ?? "", delta ?? "");
		run.event("usage.updated");
		run.text("a", "7");
		run.end();
		const events = (await served(run.log)).messages.map(envelopeOf);
		expect(
			events.map(({ firstSequenceNumber, sequenceNumber, data }) => [
				firstSequenceNumber,
				sequenceNumber,
				(data as { delta?: string }).delta,
			]),
		).toEqual([
			[1, 2, "12"],
			[undefined, 3, "3"],
			[4, 5, "45"],
			[undefined, 6, undefined],
			[undefined, 7, "7"],
			[undefined, 8, undefined],
		]);
	});

	it("ends at the end, and tells who comes back with 204 that there is no more", async () => {
		const { log } = shortRun();
		expect((await served(log)).connection).toMatchObject({ status: 200, isWhole: true });
		const { connection } = await served(log, "", { headers: { "last-event-id": "5" }, serve: { headers: { "x-mine": "1" } } });
		expect(connection).toMatchObject({ status: 204, bytes: 0, headers: { "x-mine": "1" } });
	});

	it("resolves at the end also where the connection is kept for the next request", async () => {
		await using server = await sseServer(shortRun().log);
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		const after = ["0", "5", "0"];
		for (const [index, id] of after.entries()) {
			await connect(`${server.url}?after=${id}`, new SseParser(() => {}), { agent });
			await server.served[index];
		}
		expect(server.responses.map(({ statusCode }) => statusCode)).toEqual([200, 204, 200]);
		expect(server.requests.every(({ socket }) => socket === server.requests[0]?.socket)).toBe(true);
		agent.destroy();
	});

	it("does not tell a client of a running log that there is no more", async () => {
		const run = publishedRun();
		run.text("p", "x");
		await using server = await sseServer(run.log);
		const messages: Message[] = [];
		const over = connect(`${server.url}?after=1`, new SseParser((message) => messages.push(message)));
		await until(() => server.responses[0]?.headersSent === true);
		run.end();
		expect(await over).toMatchObject({ status: 200 });
		expect(messages.map(({ id }) => id)).toEqual(["2"]);
	});

	it.each(["POST", "HEAD", "DELETE"])("answers 405 to %s", async (method) => {
		const { connection, messages } = await served(shortRun().log, "", { method });
		expect(connection).toMatchObject({ status: 405, headers: { allow: "GET" } });
		expect(messages).toEqual([]);
	});

	it("asks a client to wait as long as is said before it comes back", async () => {
		expect((await served(shortRun().log, "", { serve: { retryMs: 7 } })).parser.retryMs).toBe(7);
		expect((await served(shortRun().log)).parser.retryMs).toBeUndefined();
	});

	it("sends comments while nothing happens, by a timer that holds no process", async () => {
		const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
		const { log, end } = publishedRun();
		const held: number[] = [];
		const server = createServer((request, response) => {
			const before = timers();
			void serveEvents(log, request, response, { heartbeatMs: 1 });
			held.push(timers() - before);
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const messages: Message[] = [];
		const parser = new SseParser((message) => messages.push(message));
		const over = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, parser);
		await until(() => parser.comments.length >= 3);
		expect(parser.comments[0]).toBe("heartbeat");
		expect(held).toEqual([0]);
		expect(messages).toEqual([]);
		end();
		await over;
		server.close();
	});

	it.each([
		["a history of 0", new EventLog({ history: 0 }), {}, /history is 0/],
		["a history of 0 whose events are gone", publishedTo(new EventLog({ history: 0 })).log, {}, /history is 0/],
		["what is no log", {} as EventLog, {}, /a log, .*stream\.log/],
		["nothing", undefined as unknown as EventLog, {}, /a log, .*stream\.log/],
		["heartbeatMs that is no number of milliseconds", new EventLog(), { heartbeatMs: 0 }, /heartbeatMs/],
		["heartbeatMs longer than a timer waits", new EventLog(), { heartbeatMs: 2 ** 31 }, /heartbeatMs/],
		["retryMs that is no whole number", new EventLog(), { retryMs: 0.5 }, /retryMs/],
	])("rejects %s, and leaves the answer to the host", async (_, log, options, message) => {
		await using server = await sseServer(log, options);
		const { connection } = { connection: await connect(server.url, new SseParser(() => {})) };
		expect(connection.status).toBe(500);
		await expect(server.served[0]).rejects.toThrow(message);
		await expect(server.served[0]).rejects.toBeInstanceOf(ConfigurationError);
	});

	it("rejects a history of 0 of a log to which others listen, before anything is published", async () => {
		const { log } = publishedRun({ history: 0 });
		log.subscribe(() => {});
		await using server = await sseServer(log);
		expect((await connect(server.url, new SseParser(() => {}))).status).toBe(500);
		await expect(server.served[0]).rejects.toThrow(/history is 0/);
	});
});

describe("a client that is gone", () => {
	it("is no error, and nobody listens, waits or writes for it any more", async () => {
		const set = vi.spyOn(globalThis, "setInterval");
		const clear = vi.spyOn(globalThis, "clearInterval");
		onTestFinished(() => void vi.restoreAllMocks());
		const log = new CountingLog();
		const run = publishedTo(log);
		await using server = await sseServer(log, { heartbeatMs: 1 });
		const stays = new SseParser(() => {});
		const staying = connect(server.url, stays);
		await until(() => server.responses.length === 1);
		const leaving = new AbortController();
		const left = connect(server.url, new SseParser(() => leaving.abort()), { signal: leaving.signal });
		await until(() => log.listeners === 2);
		run.text("p", "x");
		await left;
		await server.served[1];
		expect(log.listeners).toBe(1);
		const write = vi.spyOn(server.responses[1] ?? expect.fail("no response"), "write");
		run.text("p", "y");
		const beats = stays.comments.length;
		await until(() => stays.comments.length >= beats + 3);
		expect(write).not.toHaveBeenCalled();
		run.end();
		expect(await staying).toMatchObject({ isWhole: true });
		await Promise.all(server.served);
		expect(log.listeners).toBe(0);
		expect(set).toHaveBeenCalledTimes(2);
		for (const { value: timer } of set.mock.results) expect(clear).toHaveBeenCalledWith(timer);
	});

	it("is no error before the host is ready to serve it", async () => {
		const { log } = publishedRun();
		const served: Promise<void>[] = [];
		const server = createServer((request, response) => {
			response.once("close", () => served.push(serveEvents(log, request, response)));
			client.abort();
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const client = new AbortController();
		await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { signal: client.signal }).catch(() => {});
		await until(() => served.length === 1);
		await served[0];
		server.close();
	});

	it("is no error where its socket ends in the turn in which something is written", async () => {
		const run = publishedRun();
		await using server = await sseServer(run.log);
		const over = connect(server.url, new SseParser(() => {}));
		await until(() => server.responses[0]?.headersSent === true);
		server.responses[0]?.socket?.destroy();
		run.text("p", "x".repeat(100_000));
		await over.catch(() => {});
		await server.served[0];
		await turns(3);
	});

	it("is no error where the host destroys the response while it is asked for the snapshot", async () => {
		const run = shortRun(2);
		const snapshot = (): string => {
			server.responses[0]?.destroy();
			return "state";
		};
		await using server = await sseServer(run.log, { snapshot });
		await connect(server.url, new SseParser(() => {})).catch(() => {});
		await server.served[0];
		await turns(3);
	});
});

describe("a server that is shut down", () => {
	it("lets every client go by its signal, those that do not read as well, and can close", async () => {
		const log = new CountingLog();
		const run = publishedTo(log);
		const shutdown = new AbortController();
		await using server = await sseServer(log, { signal: shutdown.signal });
		const reading = connect(server.url, new SseParser(() => {}));
		const stuck = await fetch(server.url);
		await until(() => log.listeners === 2);
		while (!server.responses.some(({ writableNeedDrain }) => writableNeedDrain)) {
			run.text("p", "x".repeat(100_000));
			await turns(2);
		}
		shutdown.abort();
		await Promise.all(server.served);
		await reading;
		expect(log.listeners).toBe(0);
		await expect(stuck.text()).rejects.toThrow();
		const late = await fetch(server.url);
		expect(late.status).toBe(200);
		await late.text();
	});
});

import { EventSource } from "eventsource";
import { describe, expect, it } from "vitest";
import { firstNumber } from "../../src/stream/merge-deltas.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { addText, publishedRun, publishedTo, turn, turns, until } from "./published-run.js";
import { connect, envelopeOf, type Message, SseParser } from "./sse-client.js";
import { CountingLog, sseServer } from "./sse-server.js";

/** How much a response may hold back: what Node lets wait before it says so, and the frame that was too much. */
const heldBack = (highWaterMark: number, frame: number): number => highWaterMark + frame;

describe("a client that does not read", () => {
	it("costs one frame and what a socket takes, however much is said, and holds up nobody", async () => {
		const log = new CountingLog({ history: 16 });
		const run = publishedTo(log);
		await using server = await sseServer(log, { heartbeatMs: 1 });
		const slow = await fetch(server.url);
		await until(() => server.responses.length === 1);
		const fast: StreamEvent[] = [];
		let resyncs = 0;
		const reading = new SseParser((message) => {
			if (message.type === "message") fast.push(envelopeOf(message));
			else resyncs += 1;
		});
		const over = connect(server.url, reading);
		await until(() => log.listeners === 2);

		const delta = "x".repeat(50_000);
		let most = 0;
		const [slowResponse] = server.responses;
		if (slowResponse === undefined) throw new Error("no response");
		for (let count = 1; count <= 600; count += 1) {
			run.text("p", delta);
			await until(() => (fast.at(-1)?.sequenceNumber ?? 0) >= count);
			most = Math.max(most, slowResponse.writableLength);
		}
		expect(slowResponse.writableNeedDrain).toBe(true);
		const waiting = slowResponse.writableLength;
		const beats = reading.comments.length;
		await until(() => reading.comments.length > beats + 3);
		expect(slowResponse.writableLength).toBeLessThanOrEqual(waiting);
		expect(most).toBeLessThan(heldBack(slowResponse.writableHighWaterMark, 16 * 50_500));
		expect(resyncs).toBe(0);
		run.end();
		await over;
		expect(fast.filter(({ event }) => event === "text.delta")).toHaveLength(600);

		const types: (string | number)[] = [];
		const parser = new SseParser(({ type, id }) => types.push(type === "message" ? Number(id) : type));
		for await (const chunk of slow.body ?? []) parser.push(chunk);
		const gap = types.indexOf("resync");
		expect(gap).toBeGreaterThan(0);
		expect(types.at(-1)).toBe(601);
		expect(types.slice(gap + 1).includes("resync")).toBe(false);
	});
});

describe("a hundred clients of one log", () => {
	it("all get all of it, listen to one signal without a warning, and are forgotten", async () => {
		const warnings: Error[] = [];
		const warned = (warning: Error): void => void warnings.push(warning);
		process.on("warning", warned);
		const log = new CountingLog();
		const run = publishedTo(log);
		await using server = await sseServer(log, { signal: new AbortController().signal });
		const texts = Array.from({ length: 100 }, (): Record<string, string> => ({}));
		const clients = texts.map((mine) => connect(server.url, new SseParser((message) => addText(mine, envelopeOf(message)))));
		await until(() => log.listeners === 100);
		for (let count = 0; count < 200; count += 1) {
			run.text("p", `${count} `);
			if (count % 10 === 0) await turn();
		}
		run.end();
		await Promise.all(clients);
		for (const mine of texts) expect(mine).toEqual(run.texts);
		expect(log.listeners).toBe(0);
		process.off("warning", warned);
		expect(warnings).toEqual([]);
	});
});

describe("an EventSource", () => {
	it("comes back by itself wherever it is cut off, misses nothing, and stops at the end", async () => {
		const run = publishedRun();
		await using server = await sseServer(run.log, { retryMs: 1 });
		const texts: Record<string, string> = {};
		let position = 0;
		const problems: string[] = [];
		const source = new EventSource(server.url);
		source.addEventListener("resync", ({ data }) => problems.push(data));
		source.onmessage = (message) => {
			const event: StreamEvent = JSON.parse(message.data);
			if (firstNumber(event) !== position + 1) problems.push(`${firstNumber(event)} behind ${position}`);
			position = event.sequenceNumber;
			addText(texts, event);
		};
		for (let round = 0; round < 10; round += 1) {
			const connections = server.requests.length;
			for (let count = 0; count < 20; count += 1) {
				run.text(count % 3 === 0 ? "a" : "b", `${round}.${count} `);
				await turns(count % 4);
			}
			await until(() => server.responses.at(-1)?.headersSent === true);
			server.responses.at(-1)?.destroy();
			await until(() => server.requests.length > connections);
		}
		run.end();
		await until(() => source.readyState === EventSource.CLOSED);
		expect(problems).toEqual([]);
		expect(position).toBe(run.log.lastSequenceNumber);
		expect(texts).toEqual(run.texts);
		await Promise.all(server.served);
		expect(server.responses.at(-1)?.statusCode).toBe(204);
		expect(server.requests.at(-1)?.headers["last-event-id"]).toBe(String(position));
	});

	it("goes on behind the number in its address, and after a cut behind the last one it got", async () => {
		const run = publishedRun();
		for (const delta of "abcdef") run.text(delta, delta);
		await using server = await sseServer(run.log, { retryMs: 1 });
		const ids: string[] = [];
		const source = new EventSource(`${server.url}?after=3`);
		source.onmessage = ({ lastEventId }) => ids.push(lastEventId);
		await until(() => ids.length === 3);
		server.responses[0]?.destroy();
		await until(() => server.responses.length === 2);
		run.end();
		await until(() => source.readyState === EventSource.CLOSED);
		expect(ids).toEqual(["4", "5", "6", "7"]);
	});

	it("is told by an event of its own what it missed", async () => {
		const run = publishedRun({ history: 2 });
		for (const delta of "abcdef") run.text(delta, delta);
		await using server = await sseServer(run.log, { snapshot: () => run.texts });
		const told: Message[] = [];
		const source = new EventSource(server.url);
		source.addEventListener("resync", ({ data, lastEventId, type }) => told.push({ data, id: lastEventId, type }));
		await until(() => told.length === 1);
		source.close();
		expect(told[0]?.id).toBe("6");
		expect(JSON.parse(told[0]?.data ?? "")).toEqual({ after: 0, first: 7, last: 6, snapshot: run.texts });
	});
});

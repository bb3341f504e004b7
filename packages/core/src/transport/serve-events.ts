import type { IncomingMessage, ServerResponse } from "node:http";
import { ConfigurationError } from "../errors/configuration-error.js";
import { warnOnce } from "../errors/warn-once.js";
import type { ReadableLog } from "../stream/readable-log.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { isObject } from "../value/frozen-copy.js";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";
import { ClientFeed, closed } from "./client-feed.js";
import { EventCursor } from "./event-cursor.js";
import { retryFrame } from "./event-frames.js";

const DEFAULT_HEARTBEAT_MS = 15_000;

export interface ServeEventsOptions {
	/** Milliseconds of silence after which a comment is sent. A whole number of 1 or more, default 15 000. */
	readonly heartbeatMs?: number;
	/** How many milliseconds a client that lost the connection is to wait. Default: as it likes, mostly 3 000. */
	readonly retryMs?: number;
	/** Sent with every answer, e.g. `access-control-allow-origin`. They replace those of the same name. */
	readonly headers?: Readonly<Record<string, string | number | readonly string[]>>;
	/**
	 * What a client that missed events gets instead: the state as of the log's last event, asked for at that moment; becomes JSON. It is
	 * synchronous, because the client goes on behind that event: a state that came later would have events in it that the client is given
	 * again, or would wait while others come. What throws, is no JSON or is a promise is left out, with one process warning.
	 */
	readonly snapshot?: () => unknown;
	/** Ends the response; the client comes back and goes on. For a server that is shut down. */
	readonly signal?: AbortSignal;
}

/**
 * Serves a log to one client as server-sent events, and resolves when that client is done: it has everything, or is gone. Each event is one
 * message of JSON whose id is its `sequenceNumber`; a client that comes back with `Last-Event-ID`, or `?after=`, goes on behind it, and one
 * that names no number begins at the beginning. Deltas in a row that wait for a client are one event with the range of their numbers.
 *
 * What a client cannot be given, because the log no longer keeps it or has no such number, is never left out in silence: it gets an event
 * `resync` with `{ after, first, last, snapshot? }` and then the events from `first` on: the oldest that is kept, or, where there is a
 * snapshot, the one behind `last`. It begins anew with what it is given. So a client that reads slowly costs its place in the log and
 * nothing more, and holds up nobody; let the log's `history` hold what is said while a client is away.
 *
 * At the end of the log the response ends; a client that comes back with the last number gets 204, by which an EventSource stops. A method
 * other than GET gets 405. Numbers are those of one log: give each its own address.
 *
 * Rejects with ConfigurationError for what is no log, for one whose history is 0 and for an option that cannot be used; a client that vanished is no error.
 */
export async function serveEvents(
	log: ReadableLog,
	request: IncomingMessage,
	response: ServerResponse,
	options: ServeEventsOptions = {},
): Promise<void> {
	const { heartbeatMs = DEFAULT_HEARTBEAT_MS, retryMs, headers = {}, snapshot, signal } = options;
	checkMilliseconds("heartbeatMs", heartbeatMs, 1);
	if (retryMs !== undefined) checkMilliseconds("retryMs", retryMs, 0);
	checkLog(log);
	for (const [name, value] of Object.entries({ ...HEADERS, ...lowerCased(headers) })) response.setHeader(name, value);
	if (request.method !== "GET") return answer(response.setHeader("allow", "GET"), 405);
	const cursor = new EventCursor(log, askedFor(request));
	if (cursor.isAtEnd) return answer(response, 204);
	response.writeHead(200).flushHeaders();
	if (retryMs !== undefined) response.write(retryFrame(retryMs));
	const feed = new ClientFeed(log, cursor, response, { heartbeatMs, snapshot: () => snapshotJson(snapshot), signal });
	await feed.run();
}

const HEADERS = {
	"content-type": "text/event-stream; charset=utf-8",
	// a proxy that compresses or collects would hold events back
	"cache-control": "no-cache, no-transform",
	"x-accel-buffering": "no",
} as const;

const lowerCased = (headers: NonNullable<ServeEventsOptions["headers"]>): NonNullable<ServeEventsOptions["headers"]> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

async function answer(response: ServerResponse, status: number): Promise<void> {
	response.writeHead(status).end();
	await closed(response);
}

/** The number behind which a client wants to go on, 0 where it names none, `null` where it is no number. */
function askedFor({ headers, url = "" }: IncomingMessage): number | null {
	const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
	// an EventSource that comes back asks the address it was given, and adds the header
	const text = headers["last-event-id"] || new URLSearchParams(query).get("after") || "0";
	return /^\d+$/.test(String(text)) ? Number(text) : null;
}

function snapshotJson(snapshot: (() => unknown) | undefined): string | undefined {
	try {
		return snapshot === undefined ? undefined : JSON.stringify(atOnce(snapshot()));
	} catch (error) {
		const message = `The snapshot for clients that missed events failed, and they are given the events that are kept alone: ${messageOf(error)}`;
		warnOnce("snapshot of events", message, "ROBOT_LAB_SNAPSHOT_FAILED");
		return undefined;
	}
}

/** A promise would be sent as {}, and the client would go on without the state. */
function atOnce(state: unknown): unknown {
	if (!isObject(state) || !("then" in state) || typeof state.then !== "function") return state;
	Promise.resolve(state).catch(() => {});
	throw new Error("it is a promise, and must be synchronous. Keep the state up to date, and hand over what there is");
}

function checkLog(log: unknown): void {
	if (!isObject(log) || !("subscribe" in log) || !("history" in log)) {
		throw new ConfigurationError(`What is served is a log, e.g. stream.log of robot.stream(), got ${describeValue(log)}.`);
	}
	if (log.history !== 0) return;
	throw new ConfigurationError("Cannot serve the events of a log whose history is 0: a client that comes back could not go on. Keep some.");
}

function checkMilliseconds(name: string, value: number, least: number): void {
	if (Number.isSafeInteger(value) && value >= least && value <= MAX_TIMEOUT_MS) return;
	throw new ConfigurationError(
		`${name} must be a whole number of milliseconds from ${least} to ${MAX_TIMEOUT_MS}, got ${describeValue(value)}.`,
	);
}

import { type Agent, get, type IncomingHttpHeaders } from "node:http";
import type { StreamEvent } from "../../src/stream/stream-event.js";

export interface Message {
	readonly id: string;
	/** `"message"` where the server names none. */
	readonly type: string;
	readonly data: string;
}

/** Reads server-sent events as the standard says, from bytes cut anywhere. An unfinished event at the end is none. */
export class SseParser {
	readonly comments: string[] = [];
	retryMs: number | undefined;
	lastEventId = "";
	readonly #onMessage: (message: Message) => void;
	#rest: Buffer = Buffer.alloc(0);
	#id = "";
	#type = "";
	#data: string[] = [];

	constructor(onMessage: (message: Message) => void) {
		this.#onMessage = onMessage;
	}

	push(bytes: Uint8Array): void {
		this.#rest = Buffer.concat([this.#rest, bytes]);
		for (let end = this.#rest.indexOf(10); end !== -1; end = this.#rest.indexOf(10)) {
			this.#line(this.#rest.toString("utf8", 0, end));
			this.#rest = this.#rest.subarray(end + 1);
		}
	}

	#line(line: string): void {
		const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
		if (line === "") this.#dispatch();
		else if (name === "") this.comments.push(value);
		else if (name === "data") this.#data.push(value);
		else if (name === "event") this.#type = value;
		else if (name === "id") this.#id = value;
		else if (name === "retry") this.retryMs = Number(value);
		else throw new Error(`no such field: ${line}`);
	}

	#dispatch(): void {
		this.lastEventId = this.#id;
		const message = { id: this.lastEventId, type: this.#type || "message", data: this.#data.join("\n") };
		const isMessage = this.#data.length > 0;
		this.#type = "";
		this.#data = [];
		if (isMessage) this.#onMessage(message);
	}
}

export interface Connection {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	/** The body's bytes that were read. */
	readonly bytes: number;
	/** Whether it ended as the server wanted it to. */
	readonly isWhole: boolean;
}

export interface ConnectOptions {
	readonly headers?: Readonly<Record<string, string>>;
	/** So many bytes of the body are read; then the socket is destroyed. */
	readonly cutAfter?: number;
	readonly signal?: AbortSignal;
	readonly method?: string;
	/** Default: a connection of its own. */
	readonly agent?: Agent;
}

/** One connection of a client. Resolves when it is over, however. */
export function connect(url: string, parser: SseParser, options: ConnectOptions = {}): Promise<Connection> {
	const { headers = {}, cutAfter = Number.POSITIVE_INFINITY, signal, method = "GET", agent = false } = options;
	return new Promise((resolve, reject) => {
		let isCut = false;
		const request = get(url, { headers, agent, method, ...(signal && { signal }) }, (response) => {
			let bytes = 0;
			response.on("data", (chunk: Buffer) => {
				const taken = chunk.subarray(0, cutAfter - bytes);
				bytes += taken.length;
				if (!isCut) parser.push(taken);
				if (bytes < cutAfter) return;
				isCut = true;
				request.destroy();
			});
			response.on("error", () => {});
			response.on("close", () => {
				resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, isWhole: response.complete });
			});
		});
		request.on("error", (error) => (isCut || signal?.aborted ? undefined : reject(error)));
	});
}

/** The envelope of a message. */
export const envelopeOf = ({ data }: Message): StreamEvent => JSON.parse(data);

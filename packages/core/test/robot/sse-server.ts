import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server answers one request. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/**
 * A server that says on the OpenAI wire exactly what it is told, one prepared answer a request: for what no server in order would say. What one
 * in order says is checked against `@copilotkit/aimock`, which is not ours.
 */
export interface SseServer extends AsyncDisposable {
	readonly baseUrl: string;
	/** The bodies it got, parsed. */
	readonly requests: Readonly<Record<string, unknown>>[];
	/** How many answers the other side gave up on. */
	readonly closedEarly: () => number;
	/** How many connections were opened to it. */
	readonly connections: () => number;
}

export async function sseServer(answers: readonly Answer[]): Promise<SseServer> {
	const queue = [...answers];
	const requests: Record<string, unknown>[] = [];
	let closedEarly = 0;
	let connections = 0;
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		requests.push(JSON.parse(body) as Record<string, unknown>);
		response.on("close", () => !response.writableFinished && closedEarly++);
		await (queue.shift() ?? status(500))(response, request);
	});
	server.on("connection", () => connections++);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		closedEarly: () => closedEarly,
		connections: () => connections,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export const status =
	(code: number, headers: Record<string, string> = {}): Answer =>
	(response) =>
		void response
			.writeHead(code, { "content-type": "application/json", ...headers })
			.end(JSON.stringify({ error: { message: `status ${code}` } }));

/** The body of an event stream, as it is. */
export const body =
	(...pieces: readonly string[]): Answer =>
	(response) =>
		void response.writeHead(200, { "content-type": "text/event-stream" }).end(pieces.join(""));

/** One event of the stream, as text. */
export const event = (delta: object, finish?: string): string => eventOf({ choices: [{ index: 0, delta, finish_reason: finish ?? null }] });

const eventOf = (data: object): string =>
	`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", ...data })}\n\n`;

export const DONE = "data: [DONE]\n\n";

/** Opens the stream and sends each delta as a chunk of its own; `end` closes it as the wire wants it. */
export function sse(response: ServerResponse): { delta(delta: object, finish?: string): void; end(): void } {
	response.writeHead(200, { "content-type": "text/event-stream" });
	return {
		delta: (delta, finish) => void response.write(event(delta, finish)),
		end: () => {
			response.write(eventOf({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } }));
			response.end(DONE);
		},
	};
}

export const text =
	(...deltas: readonly string[]): Answer =>
	(response) => {
		const stream = sse(response);
		for (const content of deltas) stream.delta({ role: "assistant", content });
		stream.delta({}, "stop");
		stream.end();
	};

/** One call whose arguments come in pieces, as they do. */
export const toolCall =
	(name: string, ...pieces: readonly string[]): Answer =>
	(response) => {
		const stream = sse(response);
		stream.delta({ role: "assistant", tool_calls: [{ index: 0, id: "call_abc", type: "function", function: { name, arguments: "" } }] });
		for (const piece of pieces) stream.delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
		stream.delta({}, "tool_calls");
		stream.end();
	};

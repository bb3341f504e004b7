import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server answers one request. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/** A server that speaks the OpenAI wire, one prepared answer a request. */
export interface SseServer extends AsyncDisposable {
	readonly baseUrl: string;
	/** The bodies it got, parsed. */
	readonly requests: Readonly<Record<string, unknown>>[];
	/** How many answers the other side gave up on. */
	readonly closedEarly: () => number;
}

export async function sseServer(answers: readonly Answer[]): Promise<SseServer> {
	const queue = [...answers];
	const requests: Record<string, unknown>[] = [];
	let closedEarly = 0;
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		requests.push(JSON.parse(body) as Record<string, unknown>);
		response.on("close", () => !response.writableFinished && closedEarly++);
		await (queue.shift() ?? status(500))(response, request);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		closedEarly: () => closedEarly,
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

/** Opens the stream and sends each delta as a chunk of its own; `end` closes it as the wire wants it. */
export function sse(response: ServerResponse): { delta(delta: object, finish?: string): void; end(): void } {
	response.writeHead(200, { "content-type": "text/event-stream" });
	const send = (data: object): void =>
		void response.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", ...data })}\n\n`);
	return {
		delta: (delta, finish) => send({ choices: [{ index: 0, delta, finish_reason: finish ?? null }] }),
		end: () => {
			send({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } });
			response.end("data: [DONE]\n\n");
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

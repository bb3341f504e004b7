import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A piece of a model's answer, as servers that speak like OpenAI's stream it. */
export type Delta =
	| { readonly content: string }
	| {
			readonly tool_calls: readonly {
				readonly index: number;
				readonly id: string;
				readonly function: { readonly name: string; readonly arguments: string };
			}[];
	  };

/** The answer to the request of that number, from 1. It may take its time. */
export type Answer = (request: number) => AsyncIterable<Delta> | Iterable<Delta>;

/** A language model on this computer. Gives what the command needs to ask it. */
export async function modelServer(
	answer: Answer,
): Promise<{ readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }> {
	let requests = 0;
	const server = createServer(async (request, response) => {
		request.resume();
		requests += 1;
		response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
		const send = (choice: object): void => {
			const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, ...choice }] };
			response.write(`data: ${JSON.stringify(chunk)}\n\n`);
		};
		let hasCalls = false;
		for await (const delta of answer(requests)) {
			hasCalls ||= "tool_calls" in delta;
			send({ delta });
		}
		send({ delta: {}, finish_reason: hasCalls ? "tool_calls" : "stop" });
		response.end("data: [DONE]\n\n");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { args: ["--model", "openai-compatible/m"], env: { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1` } };
}

/** A call of a tool. */
export const call = (index: number, name: string, args: object): Delta => ({
	tool_calls: [{ index, id: `call-${index}`, function: { name, arguments: JSON.stringify(args) } }],
});

/** A place at which an answer stands still until the test goes on. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
	let open = (): void => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { opened, open };
}

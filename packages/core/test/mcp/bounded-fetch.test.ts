import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { boundedFetch } from "../../src/mcp/bounded-fetch.js";
import { connected } from "./hostile.js";

async function serve(
	answer: (path: string) => { readonly type: string; readonly body: string; readonly status?: number },
): Promise<string> {
	const server = createServer((request, response) => {
		const { type, body, status = 200 } = answer(request.url ?? "");
		response.writeHead(status, { "content-type": type }).end(body);
	}).listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await once(server, "listening");
	return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const event = `data: ${"x".repeat(90)}\n\n`;

it.each([
	["an answer", "application/json", "x".repeat(100), "x".repeat(101)],
	["an event", "text/event-stream", event.repeat(50), `${event}data: ${"x".repeat(200)}\n\n`],
	["an event of many lines", "text/event-stream", event, "data: x\n".repeat(20)],
	["an event with the line ends of Windows", "text/event-stream", "data: x\r\n\r\n".repeat(20), "data: x\r\n".repeat(20)],
])("%s is no longer than it may be", async (_, type, short, long) => {
	const url = await serve((path) => ({ type, body: path === "/short" ? short : long }));
	const get = boundedFetch(100);
	expect(await (await get(`${url}/short`)).text()).toBe(short);
	await expect((await get(`${url}/long`)).text()).rejects.toThrow("the server sent a message of more than 100 bytes");
});

it("an address that is no server of the protocol is unreachable, and its header is told to nobody", async () => {
	const url = await serve(() => ({ type: "text/plain", body: "no. you sent Bearer sk-secret-1", status: 500 }));
	const servers = connected({ it: { url: `${url}/mcp?key=sk-secret-2`, headers: { authorization: "Bearer sk-secret-1" } } });
	const error = await servers.connect().catch((reason: unknown) => reason as Error);
	expect(error).toMatchObject({ code: "unreachable" });
	expect((error as Error).message).not.toContain("sk-secret");
});

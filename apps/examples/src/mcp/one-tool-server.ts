// A server of the Model Context Protocol in a few lines, for the example beside it: node one-tool-server.js <tool> <answer>
import { createInterface } from "node:readline";

const [, , name = "tool", answer = ""] = process.argv;

interface Request {
	readonly id?: number | string;
	readonly method: string;
}

function resultOf(method: string): object | undefined {
	if (method === "initialize")
		return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "one-tool", version: "1.0.0" } };
	if (method === "tools/list") return { tools: [{ name, description: answer, inputSchema: { type: "object", properties: {} } }] };
	return method === "tools/call" ? { content: [{ type: "text", text: answer }] } : undefined;
}

for await (const line of createInterface({ input: process.stdin })) {
	const { id, method } = JSON.parse(line) as Request;
	if (id === undefined) continue; // a notification
	const result = resultOf(method);
	console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: `no ${method}` } }) }));
}

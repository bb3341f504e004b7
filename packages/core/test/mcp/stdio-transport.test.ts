import * as client from "@modelcontextprotocol/client";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { MAX_MESSAGE_BYTES } from "../../src/mcp/server-options.js";
import { StdioTransport } from "../../src/mcp/stdio-transport.js";
import { WholeLines } from "../../src/mcp/whole-lines.js";

it("a message in many pieces is given to the client package once, whole, and not with each piece anew", async () => {
	const given: Buffer[] = [];
	class Noting extends client.ReadBuffer {
		override append(chunk: Buffer): void {
			given.push(chunk);
			super.append(chunk);
		}
	}
	const program = `
		const line = JSON.stringify({ jsonrpc: "2.0", method: "n", params: { text: "x".repeat(2 ** 20) } });
		const write = (at) => at < line.length
			? process.stdout.write(line.slice(at, at + 8192), () => setImmediate(write, at + 8192))
			: process.stdout.write("\\n");
		write(0);
		setInterval(() => {}, 1000);`;
	const transport = new StdioTransport({ ...client, ReadBuffer: Noting }, { command: process.execPath, args: ["-e", program] });
	onTestFinished(() => transport.close());
	const message = new Promise<unknown>((resolve) => {
		transport.onmessage = resolve;
	});
	await transport.start();
	expect(await message).toMatchObject({ params: { text: "x".repeat(2 ** 20) } });
	expect(given.map((piece) => piece.at(-1))).toEqual([0x0a]);
});

it("WholeLines gives what was written, in whole lines, however it is cut", () => {
	fc.assert(
		fc.property(fc.array(fc.oneof(fc.constant("\n"), fc.string())), (pieces) => {
			const lines = new WholeLines();
			const given = pieces.map((piece) => lines.take(Buffer.from(piece))?.toString() ?? "");
			const text = Buffer.from(pieces.join("")).toString();
			expect(given.join("")).toBe(text.slice(0, text.lastIndexOf("\n") + 1));
			for (const piece of given) expect(piece).toMatch(/^$|\n$/);
		}),
	);
});

it("WholeLines takes a line of MAX_MESSAGE_BYTES, and throws for a longer one before its end", () => {
	const half = Buffer.alloc(MAX_MESSAGE_BYTES / 2, "x");
	const lines = new WholeLines();
	lines.take(half);
	expect(lines.take(Buffer.concat([half.subarray(1), Buffer.from("\n")]))?.length).toBe(MAX_MESSAGE_BYTES);
	lines.take(half);
	lines.take(half);
	expect(() => lines.take(Buffer.from("x"))).toThrow("more than 8388608 bytes");
});

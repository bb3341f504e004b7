import { PassThrough, Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLine } from "../../src/ask/read-line.js";
import { settled } from "../stream/publishing.js";

const forever = new AbortController().signal;

/** Every line there is, one read after the other. */
async function linesOf(input: Readable): Promise<string[]> {
	const lines: string[] = [];
	for (let line = await readLine(input, forever); line !== undefined; line = await readLine(input, forever)) lines.push(line);
	return lines;
}

describe("readLine()", () => {
	it("gives exactly the lines that were written, in whatever pieces they come and whoever gave up on one", async () => {
		const text = fc.array(fc.constantFrom("a", "é", "😀", "日本", "\n", "\r\n", " "), { maxLength: 30 }).map((pieces) => pieces.join(""));
		const kind = fc.constantFrom("bytes", "text", "objects");
		await fc.assert(
			fc.asyncProperty(
				text,
				kind,
				fc.array(fc.nat(8), { maxLength: 12 }),
				fc.array(fc.boolean(), { maxLength: 12 }),
				async (whole, as, sizes, aborts) => {
					const input = new PassThrough(as === "objects" ? { objectMode: true } : {});
					if (as === "text") input.setEncoding("utf8");
					const given = as === "objects" ? [...whole] : [...Buffer.from(whole)];
					for (const [index, size] of sizes.entries()) {
						const piece = given.splice(0, size);
						if (as === "objects" && piece.length > 0) input.write(piece.join(""));
						else input.write(Buffer.from(piece as number[]));
						if (!aborts[index]) continue;
						const controller = new AbortController();
						const line = readLine(input, controller.signal);
						await settled();
						controller.abort();
						const got = await line;
						if (got !== undefined) input.unshift(as === "bytes" ? Buffer.from(`${got}\n`) : `${got}\n`);
					}
					if (as === "objects") input.end(given.length > 0 ? given.join("") : undefined);
					else input.end(Buffer.from(given as number[]));
					const lines = whole.replaceAll("\r\n", "\n").split("\n");
					if (lines.at(-1) === "") lines.pop();
					expect(await linesOf(input)).toEqual(lines);
				},
			),
		);
	});

	it("reads a stream of texts, the last line without an end too", async () => {
		expect(await linesOf(Readable.from(["one\ntw", "o\n", "three"]))).toEqual(["one", "two", "three"]);
	});

	it("leaves a stream paused that nobody read, and flowing that somebody reads", async () => {
		const idle = new PassThrough();
		const line = readLine(idle, forever);
		idle.write("x\n");
		expect([await line, idle.isPaused(), idle.listenerCount("readable")]).toEqual(["x", true, 0]);
		const read = new PassThrough();
		let seen = "";
		read.on("data", (chunk: Buffer) => {
			seen += chunk.toString();
		});
		await settled();
		const shared = readLine(read, forever);
		read.write("one\ntwo\n");
		expect(await shared).toBe("one");
		read.write("three\n");
		await settled();
		expect(seen).toBe("one\ntwo\nthree\n");
	});

	it("reads beside a loop over the same stream that is at its body", async () => {
		const input = new PassThrough();
		input.write("go");
		const got: string[] = [];
		for await (const chunk of input) {
			got.push(String(chunk));
			if (got.length > 1) break;
			const line = readLine(input, forever);
			input.write("answer\n");
			got.push((await line) ?? "");
			input.write("rest");
			got.push("|");
			if (got.length > 9) break;
		}
		expect(got).toEqual(["go", "answer", "|", "rest"]);
	});

	it("rejects with what the stream fails with", async () => {
		const input = new PassThrough();
		const line = readLine(input, forever);
		input.destroy(new Error("cut"));
		await expect(line).rejects.toThrow("cut");
		await expect(readLine(input, forever)).rejects.toThrow("cut");
	});
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { PendingLine } from "../../src/transport/pending-line.js";
import { type Line, type SplitLinesOptions, splitLines } from "../../src/transport/split-lines.js";

async function* given(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	for (const chunk of chunks) yield chunk;
}

async function linesOf(chunks: Iterable<Uint8Array>, options?: SplitLinesOptions): Promise<Line[]> {
	const lines: Line[] = [];
	for await (const line of splitLines(given(chunks), options)) lines.push(line);
	return lines;
}

/** One, two, three and four bytes a character, every kind of separator that is none, and both kinds of end. */
const MIXED = "a é ∑ 🦊\u2028x\u2029y\u0085z\r\n\n\ufeff🏳️‍🌈 \r\r\nlone\rreturn\n\x00\v\f\nlast é🦊";
const MIXED_LINES = ["a é ∑ 🦊\u2028x\u2029y\u0085z", "", "\ufeff🏳️‍🌈 \r", "lone\rreturn", "\x00\v\f", "last é🦊"];

describe("splitLines", () => {
	it("ends a line at 0x0A alone, and takes one 0x0D before it", async () => {
		const lines = await linesOf([Buffer.from(MIXED)]);
		expect(lines.map(({ text }) => text)).toEqual(MIXED_LINES);
		expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(lines.map(({ isTerminated }) => isTerminated)).toEqual([true, true, true, true, true, false]);
		expect(lines.every(({ isUtf8, droppedBytes }) => isUtf8 && droppedBytes === 0)).toBe(true);
	});

	it("gives the same lines wherever the bytes are cut in two", async () => {
		const bytes = Buffer.from(MIXED);
		const whole = await linesOf([bytes]);
		for (let cut = 0; cut <= bytes.length; cut += 1) {
			expect(await linesOf([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
		}
	});

	it("gives the same lines in any chunks, the shortest too, and whatever the limit", async () => {
		const text = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("\n", "\r\n", "\r", "\u2028", "", "🦊")), {
			maxLength: 30,
		});
		const limit = fc.option(fc.integer({ min: 1, max: 12 }), { nil: 1_000 });
		await fc.assert(
			fc.asyncProperty(text, fc.array(fc.integer({ min: 1, max: 7 })), limit, async (pieces, sizes, maxLineBytes) => {
				const bytes = Buffer.from(pieces.join(""));
				const chunks: Uint8Array[] = [];
				for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
					const size = sizes[turn % sizes.length] ?? 1;
					chunks.push(bytes.subarray(at, at + size), new Uint8Array());
					at += size;
				}
				const lines = await linesOf(chunks, { maxLineBytes });
				expect(lines).toEqual(await linesOf([bytes], { maxLineBytes }));
				if (maxLineBytes === 1_000) {
					const expected = bytes.toString().split("\n");
					if (expected.at(-1) === "") expected.pop();
					expect(lines.map(({ text }) => text)).toEqual(expected.map((line) => line.replace(/\r$/, "")));
				}
			}),
		);
	});

	it("keeps the beginning of a line that is too long, and goes on behind it", async () => {
		const options = { maxLineBytes: 4 };
		const lines = await linesOf([Buffer.from("1234\n12345\n1"), Buffer.from("2345"), Buffer.from("678\nab")], options);
		expect(lines.map(({ number, text, droppedBytes }) => [number, text, droppedBytes])).toEqual([
			[1, "1234", 0],
			[2, "1234", 1],
			[3, "1234", 4],
			[4, "ab", 0],
		]);
		const [last] = await linesOf([Buffer.from("1234567")], options);
		expect(last).toMatchObject({ text: "1234", droppedBytes: 3, isTerminated: false });
	});

	it("says which lines are no UTF-8, and reads the others", async () => {
		const lines = await linesOf([Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a, 0xc3])]);
		expect(lines.map(({ text, isUtf8 }) => [text, isUtf8])).toEqual([
			["a\ufffd", false],
			["b", true],
			["\ufffd", false],
		]);
	});

	it("is not misled by a source that fills one buffer again and again", async () => {
		async function* reusing(): AsyncGenerator<Uint8Array> {
			const buffer = Buffer.alloc(3);
			for (const piece of ["abc", "de\n", "fgh"]) {
				buffer.write(piece);
				yield buffer;
			}
		}
		const lines: string[] = [];
		for await (const { text } of splitLines(reusing())) lines.push(text);
		expect(lines).toEqual(["abcde", "fgh"]);
	});

	it("copies a long line a few times at most, in however many pieces it comes", async () => {
		const set = Uint8Array.prototype.set;
		let copied = 0;
		Uint8Array.prototype.set = function (source: ArrayLike<number>, at?: number): void {
			copied += source.length;
			set.call(this, source, at);
		};
		try {
			const piece = Buffer.alloc(64, "x");
			const [line] = await linesOf(Array.from({ length: 20_000 }, () => piece));
			expect(line?.text).toHaveLength(1_280_000);
			expect(copied).toBeLessThan(4 * 1_280_000);
		} finally {
			Uint8Array.prototype.set = set;
		}
	});

	it("does not hold the room of a long line for the short ones behind it", () => {
		const pending = new PendingLine(1_000_000);
		pending.add(Buffer.alloc(500_000));
		expect(pending.take().bytes).toHaveLength(500_000);
		pending.add(Buffer.from("x"));
		expect(pending.take().bytes.buffer.byteLength).toBeLessThan(100_000);
	});

	it("lets its source go where it is left early, and hands on what that throws", async () => {
		let isLeft = false;
		async function* source(): AsyncGenerator<Uint8Array> {
			try {
				yield Buffer.from("one\ntwo\n");
				throw new Error("the pipe broke");
			} finally {
				isLeft = true;
			}
		}
		for await (const { text } of splitLines(source())) {
			expect(text).toBe("one");
			break;
		}
		expect(isLeft).toBe(true);
		const read: string[] = [];
		const reading = async (): Promise<void> => {
			for await (const { text } of splitLines(source())) read.push(text);
		};
		await expect(reading()).rejects.toThrow("the pipe broke");
		expect(read).toEqual(["one", "two"]);
	});

	it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses maxLineBytes %s", async (maxLineBytes) => {
		await expect(linesOf([], { maxLineBytes })).rejects.toThrow(ConfigurationError);
	});

	it("refuses what is no bytes", async () => {
		await expect(linesOf(["text" as unknown as Uint8Array])).rejects.toThrow(/must have no encoding set/);
	});
});

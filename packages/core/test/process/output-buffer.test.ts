import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputBuffer } from "../../src/process/output-buffer.js";

function kept(budget: number, ...chunks: readonly (string | Uint8Array)[]) {
	const buffer = new OutputBuffer(budget);
	for (const chunk of chunks) buffer.append(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
	return buffer.text();
}

const notice = (bytes: number | string) => `\n[… ${bytes} bytes cut …]\n`;

describe("OutputBuffer", () => {
	it("keeps everything up to the budget, to the byte", () => {
		expect(kept(16, "0123")).toEqual({ text: "0123", cutBytes: 0 });
		expect(kept(16, "0123456789abcdef")).toEqual({ text: "0123456789abcdef", cutBytes: 0 });
	});

	it("keeps the first quarter and the last three quarters from one byte over the budget on", () => {
		expect(kept(16, "0123456789abcdefg")).toEqual({ text: `0123${notice(1)}56789abcdefg`, cutBytes: 1 });
		expect(kept(16, "0123", "456789abcdef", "g")).toEqual({ text: `0123${notice(1)}56789abcdefg`, cutBytes: 1 });
	});

	it("names the cut with separators", () => {
		expect(kept(4, "a".repeat(1_234_571)).text).toBe(`a${notice("1,234,567")}aaa`);
	});

	it("keeps nothing of a budget of 0, and counts", () => {
		expect(kept(0, "abc")).toEqual({ text: notice(3), cutBytes: 3 });
		expect(kept(0)).toEqual({ text: "", cutBytes: 0 });
	});

	it("puts no half characters beside the cut", () => {
		// Budget 8: two bytes of head, six of tail. "ä" is two bytes, "€" three, "😀" four.
		expect(kept(8, "a", "ä", "x".repeat(20), "€€").text).toBe(`a${notice(22)}€€`);
		expect(kept(8, "ä", "x".repeat(20), "€", "😀").text).toBe(`ä${notice(23)}😀`);
		expect(kept(8, "a€", "x".repeat(20), "abcdef").text).toBe(`a${notice(23)}abcdef`);
	});

	it("decodes a character that came in parts as one", () => {
		const euro = Buffer.from("€");
		expect(kept(100, euro.subarray(0, 1), euro.subarray(1, 2), euro.subarray(2)).text).toBe("€");
	});

	it("replaces what is no UTF-8", () => {
		expect(kept(100, Uint8Array.of(0x61, 0xff, 0x62, 0xe2, 0x82)).text).toBe("a\ufffdb\ufffd");
	});

	it("keeps a byte order mark", () => {
		expect(kept(100, "\ufeffx").text).toBe("\ufeffx");
	});

	it("copies what it is given", () => {
		const buffer = new OutputBuffer(10);
		const memory = Buffer.from("abc");
		buffer.append(memory);
		memory.fill(0x78);
		expect(buffer.text().text).toBe("abc");
	});

	it("agrees with cutting the whole text by hand, however it is divided", () => {
		fc.assert(
			fc.property(fc.nat(40), fc.array(fc.uint8Array({ min: 32, max: 126, maxLength: 30 }), { maxLength: 20 }), (budget, chunks) => {
				const whole = Buffer.concat(chunks).toString("latin1");
				const head = Math.floor(budget / 4);
				const cut = whole.length - budget;
				const expected = cut <= 0 ? whole : `${whole.slice(0, head)}${notice(cut)}${whole.slice(head + cut)}`;
				expect(kept(budget, ...chunks)).toEqual({ text: expected, cutBytes: Math.max(0, cut) });
			}),
		);
	});

	it("takes a million chunks of one byte", () => {
		const buffer = new OutputBuffer(1000);
		for (let count = 0; count < 1_000_000; count += 1) buffer.append(Uint8Array.of(0x30 + (count % 10)));
		const { text, cutBytes } = buffer.text();
		expect(cutBytes).toBe(999_000);
		expect(text.endsWith("0123456789")).toBe(true);
	});
});

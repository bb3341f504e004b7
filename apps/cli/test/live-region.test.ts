import { clearScreenDown, cursorTo, moveCursor } from "node:readline";
import { Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LiveRegion } from "../src/live-region.js";
import { columnsOf, fitted, fittedEnd, rowsOf } from "../src/render/fitted.js";
import { Screen } from "./screen.js";

/** A terminal's stream without the terminal: what Node's own writes for it reaches the screen. */
class ScreenStream extends Writable {
	readonly screen: Screen;
	columns: number;
	rows: number;

	constructor(columns: number, rows: number) {
		super({ decodeStrings: false });
		this.columns = columns;
		this.rows = rows;
		this.screen = new Screen(columns, rows, true);
	}

	override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
		this.screen.write(chunk.toString());
		done();
	}

	moveCursor(dx: number, dy: number): boolean {
		return moveCursor(this, dx, dy);
	}

	cursorTo(x: number): boolean {
		return cursorTo(this, x);
	}

	clearScreenDown(): boolean {
		return clearScreenDown(this);
	}

	async resize(columns: number): Promise<void> {
		await this.screen.resize(columns, this.rows);
		this.columns = columns;
	}
}

function region(columns = 40, rows = 24): { live: LiveRegion; stream: ScreenStream } {
	const stream = new ScreenStream(columns, rows);
	return { live: new LiveRegion(stream as unknown as WriteStream), stream };
}

it("LiveRegion draws lines below what is printed and takes them away again", async () => {
	const { live, stream } = region();
	live.print("one\n");
	live.show(["a 1", "b 1"]);
	live.print("two\nthr");
	live.show(["a 2"]);
	expect(await stream.screen.lines()).toEqual(["one", "two", "thr", "a 2"]);
	live.print("ee\n");
	live.show([]);
	live.print("four");
	expect(await stream.screen.lines()).toEqual(["one", "two", "three", "four"]);
});

it("LiveRegion shows as many lines as the screen has rows for, and how many more there are", async () => {
	const { live, stream } = region(40, 4);
	live.print("above\n");
	live.show(["a", "b", "c", "d", "e"]);
	expect((await stream.screen.lines()).slice(-3)).toEqual(["a", "b", "… 3 more"]);
	live.show([]);
	expect(await stream.screen.lines()).toEqual(["above"]);
});

it("LiveRegion takes its lines away from a screen that became narrower and broke them", async () => {
	const { live, stream } = region(60);
	live.print("above\n");
	live.show(["x".repeat(59), "y".repeat(30)]);
	await stream.resize(25);
	live.show(["short"]);
	expect(await stream.screen.lines()).toEqual(["above", "short"]);
});

it("LiveRegion takes away what it drew of an answer with tabs, wide characters and marks that take no column", async () => {
	const { live, stream } = region(20);
	live.print("a\tb\tc\td\te");
	live.show(["x"]);
	live.show(["y"]);
	live.print("\ne\u0301\t漢字\tb\tend");
	live.show(["z"]);
	live.show(["z z"]);
	live.show([]);
	live.print("\n");
	expect(withoutBlanks(await stream.screen.lines())).toEqual(["abcde", "", "e\u0301漢字bend"]);
});

type Step =
	| { readonly kind: "print"; readonly text: string }
	| { readonly kind: "aside"; readonly text: string }
	| { readonly kind: "show"; readonly lines: readonly string[] }
	| { readonly kind: "resize"; readonly columns: number };

/** A screen does not tell blanks from nothing, and leaves one where a wide character did not fit. */
function withoutBlanks(lines: readonly string[]): string[] {
	const dense = lines.map((line) => line.replaceAll(/[ \t]/g, ""));
	return dense.slice(0, dense.findLastIndex((line) => line !== "") + 1);
}

const letters = fc.string({ unit: fc.constantFrom(..."abc 漢字é"), minLength: 0, maxLength: 50 });
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ kind: fc.constant("print" as const), text: fc.string({ unit: fc.constantFrom(..."abc漢 \n\t"), maxLength: 70 }) }),
	fc.record({ kind: fc.constant("aside" as const), text: letters.map((text) => `! ${text.trimEnd()}\n`) }),
	fc.record({ kind: fc.constant("show" as const), lines: fc.array(letters, { maxLength: 4 }) }),
	fc.record({ kind: fc.constant("resize" as const), columns: fc.integer({ min: 7, max: 60 }) }),
);

it("LiveRegion leaves exactly what was printed, whatever was drawn below it and however wide the screen became", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
			const { live, stream } = region(40, 50);
			let stays = "";
			let isShown = false;
			for (const one of steps) {
				if (one.kind === "print") {
					live.print(one.text);
					stays += one.text;
				} else if (one.kind === "aside") {
					live.aside(() => stream.write(one.text));
					const end = isShown ? stays.lastIndexOf("\n") + 1 : stays.length;
					stays = `${stays.slice(0, end)}${one.text}${stays.slice(end)}`;
				} else if (one.kind === "show") {
					live.show(one.lines.map((line) => fitted(line, live.columns - 1)));
					if (!isShown && one.lines.length > 0 && stays !== "" && !stays.endsWith("\n")) stays += "\n";
					isShown = one.lines.length > 0;
				} else if (isShown) await stream.resize(one.columns);
			}
			live.show([]);
			expect(withoutBlanks(await stream.screen.lines())).toEqual(withoutBlanks(stays.split("\n")));
		}),
		{ numRuns: 150 },
	);
});

it("fitted() and fittedEnd() give no more columns than they are told, and all of a text that fits", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
			expect(columnsOf(fitted(text, columns))).toBeLessThanOrEqual(columns);
			expect(columnsOf(fittedEnd(text, columns))).toBeLessThanOrEqual(columns);
			if (columnsOf(text) <= columns) expect(fitted(text, columns)).toBe(text);
		}),
	);
	expect(fitted("a\tb", 40)).toBe("a       b");
	expect(fitted("漢e\u0301\tb", 40)).toBe("漢e\u0301     b");
	expect(fitted("a\tb", 5)).toBe("a   …");
	expect(fittedEnd("12345678\ta", 40)).toBe("12345678        a");
	expect(fittedEnd("a\tb", 3)).toBe("  b");
	expect([columnsOf("a\tb"), columnsOf("\t\t"), rowsOf("a\tb", 8), rowsOf("a\tb", 9)]).toEqual([9, 16, 2, 1]);
	expect(fitted("漢字漢字", 5)).toBe("漢字…");
	expect(fittedEnd("one two", 3)).toBe("two");
	expect(fittedEnd("a😀b😀", 3)).toBe("b😀");
});

it("leaves the screen to a question, and writes afterwards in order what came meanwhile", async () => {
	const { live, stream } = region();
	live.print("half a li");
	live.show(["one"]);
	const during = await live.held(async () => {
		live.print("ne\n");
		live.aside(() => stream.write("aside\n"));
		live.show(["two"]);
		await live.held(async () => live.show(["three"]));
		stream.write("May it run? yes\n");
		return stream.screen.lines();
	});
	expect(during).toEqual(["half a li", "May it run? yes"]);
	expect(await stream.screen.lines()).toEqual(["half a li", "May it run? yes", "ne", "aside", "three"]);
	live.show([]);
	expect(await stream.screen.lines()).toEqual(["half a li", "May it run? yes", "ne", "aside"]);
});

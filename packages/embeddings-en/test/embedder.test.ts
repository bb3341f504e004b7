import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { embedder } from "../src/index.js";
import * as light from "../src/light.js";
import { cosine } from "./cosine.js";

const PARTS = [
	["hybrid", embedder(), 872],
	["light", light.embedder(), 512],
] as const;

const ODD = [
	"Ship the release",
	"csv",
	"👩‍👩‍👧 at home",
	"日本の首都は？",
	"\u0000\u0001 nul",
	"half \ud83d of a \udc4d pair",
	"__proto__ constructor toString",
	"C++",
	"\u202etxet",
];

describe.each(PARTS)("the %s embedder", (_name, { embed, calibration }, dimensions) => {
	const one = async (text: string): Promise<Float32Array> => (await embed([text]))[0] ?? new Float32Array();

	it("gives vectors of length 1 in the order of the texts, the same alone, in a list and beside others", async () => {
		const [vectors, again] = await Promise.all([embed(ODD), embed(ODD)]);
		expect(again).toEqual(vectors);
		for (const [index, text] of ODD.entries()) {
			expect(vectors[index], text).toHaveLength(dimensions);
			expect(
				vectors[index]?.reduce((sum, value) => sum + value * value, 0),
				text,
			).toBeCloseTo(1, 5);
			expect(await one(text), text).toEqual(vectors[index]);
		}
	});

	it("gives zeros for a text without a word", async () => {
		for (const text of ["", " \n\t", "\u0000", "👍", "?!", "\ud83d"])
			expect(
				(await one(text)).every((value) => value === 0),
				text,
			).toBe(true);
	});

	it("gives finite numbers for whatever is a string", async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (text) => {
				expect((await one(text)).every(Number.isFinite)).toBe(true);
			}),
			{ numRuns: 50 },
		);
	});

	it("reads the beginning and the end of a megabyte", async () => {
		const text = (head: string, tail: string) => `${head} ${"honey ".repeat(170_000)} ${tail}`;
		const [plain, head, tail] = await embed([text("bees", "bees"), text("chart", "bees"), text("bees", "chart")]);
		expect(head).not.toEqual(plain);
		expect(tail).not.toEqual(plain);
	});

	it("finds what a request is about without its words", async () => {
		const [query = [], near = [], far = []] = await embed([
			"When does my train leave tomorrow morning?",
			"railway timetable. Looks up departures and arrivals at stations.",
			"invoice maker. Creates invoices and sends them to customers.",
		]);
		expect(cosine(query, near)).toBeGreaterThan(cosine(query, far) + 0.05);
	});

	it("tells names that no model knows apart by their letters", async () => {
		const [query = [], same = [], other = []] = await embed(["frobnix is stuck", "frobnix queue", "zorblatt queue"]);
		expect(cosine(query, same)).toBeGreaterThan(cosine(query, other) + 0.1);
	});

	it("refuses what is no list of texts", async () => {
		for (const texts of ["text", null, undefined, 3, [1], ["a", null], [{}]]) {
			await expect(embed(texts as unknown as string[])).rejects.toThrow(TypeError);
		}
		expect(await embed([])).toEqual([]);
	});

	it("takes the texts that were in the list when it was called", async () => {
		const texts = ["tea", "coffee"];
		const embedding = embed(texts);
		texts[1] = "tea";
		const [tea, coffee] = await embedding;
		expect(coffee).not.toEqual(tea);
	});

	it("stops with the signal's reason, before and between texts, while the rest of the process has its turns", async () => {
		const reason = new Error("nobody waits");
		await expect(embed(["tea"], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		const controller = new AbortController();
		await one("loads the data");
		const many = embed(new Array(2_000).fill("Look up when the train to the coast leaves ".repeat(dimensions > 512 ? 1 : 20)), {
			signal: controller.signal,
		});
		setImmediate(() => controller.abort(reason));
		await expect(many).rejects.toBe(reason);
	});

	it("has constants with which a confidence is one", () => {
		expect(calibration.offer).toBeGreaterThan(0);
		expect(calibration.activate).toBeGreaterThan(calibration.offer);
		expect(calibration.activate).toBeLessThan(1);
	});
});

describe("embedder()", () => {
	it("gives the light part's vectors where it is asked for them", async () => {
		expect(await embedder({ part: "light" }).embed(ODD)).toEqual(await light.embedder().embed(ODD));
		expect(embedder({}).id).toBe(embedder({ part: "hybrid" }).id);
	});

	it("refuses parts and options that do not exist", () => {
		const wrong = [{ part: "heavy" }, { part: "__proto__" }, { part: null }, { model: "light" }, { part: "light", x: undefined }];
		for (const options of wrong) expect(() => embedder(options as never)).toThrow(TypeError);
		expect(() => embedder({ part: "heavy" } as never)).toThrow('embedder(): part must be "hybrid" or "light", got "heavy".');
	});

	it("takes two texts for the same in the same words only", () => {
		const { saysSame } = embedder();
		expect([saysSame("Is it  UP?", "is it up?"), saysSame("Is it up?", "Is it down?"), saysSame("do", "do not")]).toEqual([
			true,
			false,
			false,
		]);
	});
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { type EmbeddingModel, embedderOf } from "../../src/matching/embedder-of.js";
import { SkillMatcher } from "../../src/matching/skill-matcher.js";
import { bareSkills } from "./skills-of.js";

const inputs: string[][] = [];
let answerWith: (input: string[]) => unknown;
let closed = 0;
const vectors = (input: string[]): unknown => ({ data: input.map((text) => ({ embedding: [text.length, 1] })) });
const server = createServer(async (request, response) => {
	let text = "";
	for await (const chunk of request) text += chunk;
	const { input } = JSON.parse(text);
	inputs.push(input);
	response.on("close", () => {
		if (!response.writableFinished) closed += 1;
	});
	const answer = answerWith(input);
	if (answer === undefined) return;
	response.setHeader("content-type", "application/json");
	response.statusCode = answer === null ? 500 : 200;
	response.end(JSON.stringify(answer ?? { error: { message: "overloaded" } }));
});

let model: EmbeddingModel;
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	model = createOpenAICompatible({ name: "local", baseURL }).embeddingModel("tiny");
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
	inputs.length = 0;
	answerWith = vectors;
});

/** A model in memory that notes how many calls run at once. */
function noting(rest: Partial<EmbeddingModel>): { readonly model: EmbeddingModel; readonly sizes: number[]; most: number } {
	const noted = { sizes: [] as number[], most: 0, model: undefined as unknown as EmbeddingModel };
	let running = 0;
	const doEmbed = async ({ values }: { values: string[] }) => {
		noted.sizes.push(values.length);
		noted.most = Math.max(noted.most, ++running);
		await new Promise(setImmediate);
		running -= 1;
		return { embeddings: values.map((text) => [Number(text)]), warnings: [] };
	};
	noted.model = {
		specificationVersion: "v4",
		provider: "p",
		modelId: "m",
		maxEmbeddingsPerCall: 2,
		supportsParallelCalls: true,
		doEmbed,
		...rest,
	} as EmbeddingModel;
	return noted;
}

const NUMBERS = Array.from({ length: 21 }, (_, index) => String(index));

describe("embedderOf()", () => {
	it("asks a provider's model over HTTP, which a matcher then uses", async () => {
		const embedder = embedderOf(model, { threshold: 0.99 });
		expect(embedder).toMatchObject({ id: "local.embedding/tiny", threshold: 0.99 });
		expect(embedder.calibration).toBeUndefined();
		expect(await embedder.embed(["a", "bcd"])).toEqual([[1, 1], [3, 1]]); // biome-ignore format: one line
		for (const [each, tier] of [
			[embedder, "active"],
			[embedderOf(model), "candidate"],
		] as const) {
			// biome-ignore format: one line
			const { matches, ...said } = await new SkillMatcher({ skills: bareSkills(3), embedder: each }).matchWithReasons("hello");
			expect([matches.length, matches[0]?.tier, said]).toEqual([3, tier, { embedder: "local.embedding/tiny" }]);
		}
	});

	it.each([
		[2, true, 11, 4],
		[2, false, 11, 1],
		[Number.POSITIVE_INFINITY, true, 1, 1],
		[undefined, true, 1, 1],
		[0, false, 21, 1],
	])(
		// biome-ignore format: one line
		"takes at most %s texts in a call, at once: %s",
		async (maxEmbeddingsPerCall, supportsParallelCalls, calls, most) => {
			for (const value of [maxEmbeddingsPerCall, Promise.resolve(maxEmbeddingsPerCall)]) {
				const noted = noting({ maxEmbeddingsPerCall: value, supportsParallelCalls });
				expect(await embedderOf(noted.model).embed(NUMBERS)).toEqual(NUMBERS.map((text) => [Number(text)]));
				expect([noted.sizes.length, noted.most]).toEqual([calls, most]);
			}
		},
	);

	it("asks for nothing where there is no text", async () => {
		const noted = noting({ specificationVersion: "v3" } as never);
		expect([await embedderOf(noted.model).embed([]), noted.sizes]).toEqual([[], []]);
	});

	it("ends the call to the server with its signal, and begins no further one", async () => {
		answerWith = () => undefined;
		const controller = new AbortController();
		const asked = embedderOf(model).embed(["a"], { signal: controller.signal });
		await expect.poll(() => inputs.length).toBe(1);
		controller.abort(new Error("enough"));
		await expect(asked).rejects.toThrow();
		await expect.poll(() => closed).toBe(1);
		const noted = noting({ supportsParallelCalls: false });
		const stop = new AbortController();
		const several = embedderOf(noted.model).embed(NUMBERS, { signal: stop.signal });
		await new Promise(setImmediate);
		stop.abort("enough");
		await expect(several).rejects.toBe("enough");
		expect(noted.sizes.length).toBeLessThan(11);
	});

	it("fails with the server, asks it once, and the lexical embedder answers in its place", async () => {
		answerWith = () => null;
		await expect(embedderOf(model).embed(["a"])).rejects.toThrow("overloaded");
		expect(inputs.length).toBe(1);
		const said = await new SkillMatcher({ skills: bareSkills(3), embedder: embedderOf(model) }).matchWithReasons("s1 does 1");
		expect(said).toMatchObject({
			embedder: "lexical-v2",
			fallback: { reason: "failed", message: "local.embedding/tiny failed: overloaded" },
		});
	});

	it.each([undefined, "openai/text-embedding-3-small", {}, { doEmbed() {}, provider: "p", modelId: "m", specificationVersion: "v2" }])(
		"refuses %j",
		(given) => {
			expect(() => embedderOf(given as never)).toThrow(ConfigurationError);
		},
	);

	it("takes no text's vector for another's where one call gives too few and the next too many", async () => {
		const model = {
			specificationVersion: "v4",
			provider: "p",
			modelId: "m",
			maxEmbeddingsPerCall: 2,
			supportsParallelCalls: false,
			doEmbed: async ({ values }: { readonly values: readonly string[] }) => ({
				embeddings: Array.from({ length: values.includes("a") ? 1 : 3 }, () => [1]),
				warnings: [],
			}),
		} as const;
		await expect(embedderOf(model).embed(["a", "b", "c", "d"])).rejects.toThrow("a call with 2 texts gave 1 vectors");
	});

	it.each([{ calibration: "high" }, { calibration: { bias: 0 } }, { saysSame: 3 }, { threshold: "0" }])("refuses %j", (options) => {
		expect(() => embedderOf(noting({}).model, options as never)).toThrow("embedderOf(): ");
	});

	it("refuses options it does not know", () =>
		expect(() => embedderOf(model, { treshold: 1 } as never)).toThrow('Did you mean "threshold"?'));
});

import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import type { Embedder } from "@robot-lab/core";
import { AgentSkillCatalog, SkillMatcher } from "@robot-lab/core";
import { cosineSimilarity, embed, embedMany } from "ai";
import { describe, expect, it } from "vitest";
import { embedder, embeddingModel } from "../src/index.js";
import * as light from "../src/light.js";

const EXAMPLES = new URL("../../../apps/examples/skills", import.meta.url).pathname;

describe("what other libraries take", () => {
	it("is an Embedder of core, by which a skill is found", async () => {
		const core: Embedder = embedder({ part: "light" });
		const catalog = new AgentSkillCatalog(EXAMPLES);
		const matcher = new SkillMatcher({ skills: await catalog.all(), embedder: core });
		const [best] = await matcher.match("Which paths fail most in the access log of the web server?");
		expect(best?.skill.name).toBe("log-report");
	});

	it("is an embedding model of the AI SDK", async () => {
		const models: EmbeddingModelV4[] = [embeddingModel(), light.embeddingModel()];
		expect(models.map(({ modelId }) => modelId)).toEqual([embedder().id, light.embedder().id]);
		for (const model of models) {
			const { embeddings } = await embedMany({ model, values: ["a dog", "a puppy", "an invoice"] });
			const [dog = [], puppy = [], invoice = []] = embeddings;
			expect(cosineSimilarity(dog, puppy)).toBeGreaterThan(cosineSimilarity(dog, invoice) + 0.1);
			const { embedding } = await embed({ model, value: "a dog" });
			expect(embedding).toEqual(dog);
			await expect(embed({ model, value: "a dog", abortSignal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
		}
	});
});

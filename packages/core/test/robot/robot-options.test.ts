import { afterEach, describe, expect, it } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Robot } from "../../src/robot/robot.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { createTool } from "../../src/tool/create-tool.js";

const tool = (name: string) => createTool({ name, description: "A tool.", execute: () => "" });
const model = new ScriptedModel([]);

afterEach(() => void reloadConfig());

function messageOf(make: () => unknown): string {
	try {
		make();
	} catch (error) {
		if (ConfigurationError.isInstance(error)) return (error as Error).message;
		throw error;
	}
	throw new Error("nothing was thrown");
}

describe("new Robot()", () => {
	it("without a model names the ways to give one", () => {
		const message = messageOf(() => new Robot({ name: "bob" }));
		for (const way of ['"bob"', "anthropic/<model>", "openai/", "google/", "openai-compatible/", "AI SDK", '"offline"', "configure("]) {
			expect(message).toContain(way);
		}
	});

	it("takes the model of the configuration when it has none of its own", async () => {
		configure({ model: "offline" });
		expect((await new Robot({ name: "bob" }).run("Hello")).lastTextContent).toMatch(/^offline: no language model was used/);
	});

	it("lets its own options win over its config, and its config over the configuration", async () => {
		configure({ model: "anthropic/never" });
		const own = new ScriptedModel(["own"]);
		const shared = { model: new ScriptedModel(["shared"]), temperature: 0.1, topP: 0.5 };
		expect((await new Robot({ name: "bob", config: shared }).run("x")).lastTextContent).toBe("shared");
		await new Robot({ name: "bob", config: shared, model: own, temperature: 0.9 }).run("x");
		expect(own.calls[0]).toMatchObject({ temperature: 0.9, topP: 0.5 });
		expect(shared.model.calls[0]).toMatchObject({ temperature: 0.1 });
	});

	it("finds out at once about a model that cannot be", () => {
		expect(messageOf(() => new Robot({ name: "bob", model: "antropic/x" }))).toContain('Did you mean "anthropic"?');
		expect(messageOf(() => new Robot({ name: "bob", model: {} as never }))).toContain("specificationVersion");
	});

	it("says at the first run which package a model needs", async () => {
		const robot = new Robot({ name: "bob", model: "anthropic/claude" });
		await expect(robot.run("x")).rejects.toThrow("npm install @ai-sdk/anthropic");
		expect(robot.messages).toEqual([]);
	});

	it.each([
		[{ name: "" }, "needs a name"],
		[{ name: " " }, "needs a name"],
		[{}, "needs a name"],
		[undefined, "needs a name"],
		[{ name: "b", localTools: [tool("a"), tool("a")] }, 'two tools named "a"'],
		[{ name: "b", localTools: [{ name: "a" }] }, "createTool"],
		[{ name: "b", localTools: [undefined] }, "createTool"],
		[{ name: "b", maxToolRounds: -1 }, "maxToolRounds must be a whole number of 0 or more, got -1"],
		[{ name: "b", maxToolRounds: 1.5 }, "maxToolRounds"],
		[{ name: "b", maxToolRounds: "3" }, "maxToolRounds"],
		[{ name: "b", temperature: Number.NaN }, "temperature must be a number, got NaN"],
		[{ name: "b", maxTokens: "many" }, 'maxTokens must be a whole number of 1 or more, got "many"'],
		[{ name: "b", maxTokens: -5 }, "maxTokens must be a whole number of 1 or more, got -5"],
		[{ name: "b", maxTokens: 0 }, "maxTokens"],
		[{ name: "b", topP: 0 }, "topP must be a number above 0 and at most 1, got 0"],
		[{ name: "b", topP: 1.1 }, "topP"],
		[{ name: "b", topK: 0 }, "topK must be a whole number of 1 or more, got 0"],
		[{ name: "b", topK: 1.5 }, "topK"],
		[{ name: "b", seed: 1.5 }, "seed must be a whole number, got 1.5"],
		[{ name: "b", temperature: null }, "temperature must be a number, got null"],
		[{ name: "b", presencePenalty: "1" }, 'presencePenalty must be a number, got "1"'],
		[{ name: "b", frequencyPenalty: Number.POSITIVE_INFINITY }, "frequencyPenalty must be a number, got Infinity"],
		[{ name: "b", config: { topK: -1 } }, "topK"],
		[{ name: "b", retries: -1 }, "retries must be a whole number"],
		[{ name: "b", retries: { baseDelayMs: -1 } }, "retries.baseDelayMs"],
		[{ name: "b", retries: { maxDelayMs: Number.NaN } }, "retries.maxDelayMs"],
	])("refuses %j", (options, message) => {
		expect(messageOf(() => new Robot((options && { model, ...options }) as never))).toContain(message);
	});

	it("keeps what it is made of readable", () => {
		const robot = new Robot({ name: "bob", model, description: "Helps.", systemPrompt: "Be kind." });
		expect([robot.name, robot.description, robot.systemPrompt, robot.messages]).toEqual(["bob", "Helps.", "Be kind.", []]);
	});
});

import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { DependencyError } from "../../src/errors/dependency-error.js";
import { modelName } from "../../src/model/model.js";
import { resolveModel } from "../../src/model/resolve-model.js";

async function errorOf(attempt: Promise<unknown>): Promise<ConfigurationError> {
	const error: unknown = await attempt.then(
		() => new Error("it was resolved"),
		(reason: unknown) => reason,
	);
	if (!ConfigurationError.isInstance(error)) throw error;
	return error;
}

describe("resolveModel()", () => {
	it("lets a model of specification V4 or V3 through as it is", async () => {
		const v4 = new MockLanguageModelV4();
		expect(await resolveModel(v4)).toBe(v4);
		const v3 = { ...v4, specificationVersion: "v3", doStream: () => {} } as never;
		expect(await resolveModel(v3)).toBe(v3);
	});

	it("gives the offline model for offline", async () => {
		expect(modelName(await resolveModel("offline"))).toBe("offline/offline");
	});

	it("makes a model with the real @ai-sdk/openai-compatible, slashes in its id kept", async () => {
		const environment = { OPENAI_COMPATIBLE_BASE_URL: "http://localhost:1/v1" };
		const model = await resolveModel("openai-compatible/meta-llama/Llama-3.3/70b", { environment });
		expect(model.specificationVersion).toBe("v4");
		expect(model.modelId).toBe("meta-llama/Llama-3.3/70b");
	});

	it("asks for the address of an openai-compatible server by the variable's name", async () => {
		const { message } = await errorOf(resolveModel("openai-compatible/x", { environment: {} }));
		expect(message).toMatch(/openai-compatible\/x.*OPENAI_COMPATIBLE_BASE_URL.*OPENAI_COMPATIBLE_API_KEY/);
	});

	it.each([
		["anthropic/claude", "@ai-sdk/anthropic"],
		["openai/gpt", "@ai-sdk/openai"],
		["google/gemini", "@ai-sdk/google"],
	])("names the package to install for %s and how", async (id, name) => {
		const error = await errorOf(resolveModel(id));
		expect(DependencyError.isInstance(error) && error.dependency).toBe(name);
		expect(error.message).toContain(`npm install ${name}`);
		expect(error.message).toContain(`"${id}"`);
		expect(error.code).toBe("dependency");
	});

	it("does not call a package missing when something within it is", async () => {
		const importPackage = (): Promise<unknown> =>
			Promise.reject(Object.assign(new Error("Cannot find package 'left-pad' imported from x"), { code: "ERR_MODULE_NOT_FOUND" }));
		const error = await errorOf(resolveModel("anthropic/x", { importPackage }));
		expect(DependencyError.isInstance(error)).toBe(false);
		expect(error.message).toMatch(/loading @ai-sdk\/anthropic failed \(Cannot find package 'left-pad'/);
		expect(error.cause).toBeInstanceOf(Error);
	});

	it.each([
		[{}, "does not export anthropic"],
		[{ anthropic: () => ({ specificationVersion: "v2", doStream: () => {} }) }, 'this one has "v2"'],
		[{ anthropic: () => { throw new Error("no key"); } }, "no key"], // biome-ignore format: one line
	])("says what is wrong with a package of another kind: %j", async (module, message) => {
		expect((await errorOf(resolveModel("anthropic/x", { importPackage: async () => module }))).message).toContain(message);
	});

	it.each([
		["antropic/claude", 'Did you mean "anthropic"?'],
		["oflline", 'Did you mean "offline"?'],
		["mistral/large", '"anthropic/…", "openai/…", "google/…", "openai-compatible/…" and "offline"'],
		["", 'Unknown model ""'],
		["/x", "Unknown model"],
		["anthropic", 'write it as "anthropic/<model>"'],
		["anthropic/", 'write it as "anthropic/<model>"'],
		["anthropic/ ", 'write it as "anthropic/<model>"'],
		[`${"x".repeat(2_000)}/y`, "…"],
	])("refuses the id %j and names what there is", async (id, message) => {
		const error = await errorOf(resolveModel(id));
		expect(error.message).toContain(message);
		expect(error.message.length).toBeLessThan(400);
	});

	it.each([
		[{ specificationVersion: "v2", doStream: () => {} }, 'specificationVersion "v4" or "v3", this one has "v2"'],
		[{}, "this one has none"],
		[{ specificationVersion: "v4" }, "has no doStream"],
		[null, "got null"],
		[7, "got number"],
		[() => {}, "got function"],
	])("refuses %j, which is no model", async (value, message) => {
		expect((await errorOf(resolveModel(value as never))).message).toContain(message);
	});
});

import { access, stat } from "node:fs/promises";
import { generateText, streamText } from "ai";
import { describe, expect, it } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { RecordingExecutor } from "../../src/testing/recording-executor.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";

describe("ScriptedModel", () => {
	it("is a model the AI SDK itself can generate and stream with", async () => {
		const model = new ScriptedModel(["Generated text.", { reasoning: "hm", text: ["Stre", "amed."] }]);
		const generated = await generateText({ model, prompt: "x" });
		expect([generated.text, generated.finishReason, generated.usage.inputTokens]).toEqual(["Generated text.", "stop", 10]);
		const streamed = streamText({ model, prompt: "x" });
		const deltas: string[] = [];
		for await (const delta of streamed.textStream) deltas.push(delta);
		expect([deltas, await streamed.reasoningText]).toEqual([["Stre", "amed."], "hm"]);
	});

	it("takes a function that decides from what it is asked and records every call", async () => {
		const model = new ScriptedModel(({ prompt }) => `asked ${prompt.length}`);
		await generateText({ model, prompt: "x" });
		expect(model.calls.length).toBe(1);
		await expect(generateText({ model, prompt: "x", maxRetries: 0 })).rejects.toThrow("no round left for call 2");
	});
});

describe("RecordingExecutor", () => {
	it("keeps what it was asked and answers what it was given", async () => {
		const options = { capabilities: new Capabilities(), skillDir: "/skill" };
		const executor = new RecordingExecutor(({ command }) => ({ output: command.join(" "), exitCode: 2 }));
		expect(await executor.run(["a", "b"], options)).toMatchObject({ output: "a b", exitCode: 2, confinement: "none", timedOut: false });
		expect(executor.runs).toEqual([{ command: ["a", "b"], options }]);
	});
});

describe("temporarySkill()", () => {
	it("writes a bundle that loads, makes scripts executable and takes it away at the end", async () => {
		let path: string;
		{
			await using skill = await temporarySkill({ "scripts/a.sh": "echo a", "references/b.md": "b" });
			path = skill.path;
			expect((await AgentSkill.load(skill.skillMdPath)).name).toBe("temporary-skill");
			expect((await stat(skill.file("scripts/a.sh"))).mode & 0o111).toBe(0o111);
			expect((await stat(skill.file("references/b.md"))).mode & 0o111).toBe(0);
		}
		await expect(access(path)).rejects.toThrow("ENOENT");
	});
});

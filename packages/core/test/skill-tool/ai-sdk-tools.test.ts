import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { ScriptTool } from "../../src/script/script-tool.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { toAiSdkTools } from "../../src/skill-tool/ai-sdk-tools.js";
import { RecordingExecutor } from "../../src/testing/recording-executor.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";

const FILES = {
	"SKILL.md": "---\nname: greeter\ndescription: Greet a person.\n---\n\nBe warm.\n",
	"scripts/hello.sh": '#!/bin/bash\n# Says hello.\n[ "$1" = fail ] && { echo no luck; exit 3; }\necho "Hello, $1"\n',
	"scripts/wait.sh": "#!/bin/bash\n# Waits for a long time.\nsleep 300\n",
};

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** A model that makes one call and then says what it was answered. */
const calling = (toolName: string, input: object) => {
	const replies = [
		{
			content: [{ type: "tool-call" as const, toolCallId: "1", toolName, input: JSON.stringify(input) }],
			finishReason: { unified: "tool-calls" },
		},
		{ content: [{ type: "text" as const, text: "done" }], finishReason: { unified: "stop" } },
	];
	return new MockLanguageModelV4({ doGenerate: async () => ({ ...replies.shift(), usage, warnings: [] }) as never });
};

async function skillOf(files: Record<string, string> = FILES) {
	const bundle = await temporarySkill(files);
	return { skill: await AgentSkill.load(bundle.file("SKILL.md")), [Symbol.asyncDispose]: () => bundle[Symbol.asyncDispose]() };
}

describe("toAiSdkTools()", () => {
	it("gives the AI SDK tools that it can call, whose output the model reads", async () => {
		await using bundle = await skillOf();
		const tools = await toAiSdkTools(bundle.skill);
		expect(Object.keys(tools)).toEqual(["greeter__hello", "greeter__wait"]);
		const model = calling("greeter__hello", { args: ["Anna"] });
		const result = await generateText({ model, prompt: "Greet Anna", tools, stopWhen: stepCountIs(3) });
		expect([result.text, result.steps[0]?.toolResults[0]?.output]).toEqual(["done", "Hello, Anna\n"]);
		expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({
			name: "greeter__hello",
			description: "Says hello.",
			inputSchema: { type: "object", properties: { args: {} }, additionalProperties: false },
		});
	});

	it.each([
		[{ args: ["fail"] }, "Error (exit 3):\nno luck\n"],
		[{ argv: ["Anna"] }, "there is no parameter"],
	])("tells the model what went wrong with %j", async (input, message) => {
		await using bundle = await skillOf();
		const model = calling("greeter__hello", input);
		await generateText({ model, prompt: "Greet", tools: await toAiSdkTools([bundle.skill]), stopWhen: stepCountIs(3) });
		const last = model.doGenerateCalls[1]?.prompt.at(-1)?.content;
		expect(JSON.stringify(last)).toContain(JSON.stringify(message).slice(1, -1));
		expect(last).toMatchObject([{ type: "tool-result", output: { type: "error-text" } }]);
	});

	it("runs scripts by the installed executor, and asks first where somebody is to be asked", async () => {
		await using bundle = await skillOf();
		const executor = new RecordingExecutor({ output: "recorded" });
		using _ = ScriptTool.replaceExecutor(executor);
		const tools = await toAiSdkTools(bundle.skill, { approval: { approve: async () => "deny" } });
		await expect(tools.greeter__hello?.execute({ args: [] })).rejects.toThrow("not_approved");
		expect(executor.runs).toHaveLength(0);
		expect(await (await toAiSdkTools(bundle.skill)).greeter__hello?.execute({ args: ["x"] })).toBe("recorded");
		expect(executor.runs).toHaveLength(1);
	});

	it("ends the script when the SDK aborts", async () => {
		await using bundle = await skillOf();
		const tools = await toAiSdkTools(bundle.skill);
		const abort = new AbortController();
		const waiting = tools.greeter__wait?.execute({}, { abortSignal: abort.signal });
		abort.abort();
		await expect(waiting).rejects.toThrow(/^Error \(aborted\)/);
	});

	it("parts scripts of two skills that would have one name", async () => {
		await using one = await skillOf();
		await using other = await skillOf();
		const names = Object.keys(await toAiSdkTools([one.skill, other.skill]));
		expect(names.slice(0, 2)).toEqual(["greeter__hello", "greeter__wait"]);
		expect(new Set(names).size).toBe(4);
	});

	it("refuses options that nobody knows", async () => {
		await expect(toAiSdkTools([], { approve: () => "once" } as never)).rejects.toThrow("toAiSdkTools()");
	});
});

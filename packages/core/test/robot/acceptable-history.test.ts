import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Hook } from "../../src/hook/hook.js";
import type { HookNext } from "../../src/hook/hook-context.js";
import type { LlmGenerationResult } from "../../src/hook/hook-facts.js";
import { Robot } from "../../src/robot/robot.js";
import type { RobotOptions } from "../../src/robot/robot-options.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import type { ScriptedRound } from "../../src/testing/scripted-reply.js";
import { createTool } from "../../src/tool/create-tool.js";
import { faultsOf } from "../history/histories.js";

const boom = createTool({
	name: "boom",
	description: "Fails.",
	execute: () => {
		throw new Error(`${"x".repeat(1_999)}😀`);
	},
});
const echo = createTool({
	name: "echo",
	description: "Says it again.",
	parameters: { type: "object" },
	execute: (args: unknown) => (args as { text?: string }).text ?? "\ud83d",
});

type Prompt = LanguageModelV4CallOptions["prompt"];

/** What is wrong with a prompt, its system prompt apart. The user may have asked something that is not answered yet. */
const faultsIn = (prompt: Prompt): readonly string[] => faultsOf(prompt.filter(({ role }) => role !== "system"));

/** Runs once for each question, and says what each prompt was. */
async function promptsOf(
	replies: readonly ScriptedRound[],
	options: Partial<RobotOptions> = {},
	questions = ["a", "b"],
): Promise<Prompt[]> {
	const model = new ScriptedModel([...replies]);
	const robot = new Robot({ name: "bob", model, localTools: [echo, boom], retries: 0, ...options });
	for (const question of questions) await robot.run(question);
	// what it is now can be given to another
	robot.replaceMessages(robot.messages);
	return model.calls.map(({ prompt }) => prompt);
}

describe("the history of a robot, for providers", () => {
	it.each(["multi_tool_use.parallel", "functions.echo", "x".repeat(300), "échö", "  ", "a\ud83d"])(
		"names a tool %j, which the model made up, as they allow; the model and whoever listens read its name",
		async (name) => {
			const model = new ScriptedModel([{ toolCalls: [{ name }] }, "done", "done"]);
			const robot = new Robot({ name: "bob", model, localTools: [echo] });
			const named: unknown[] = [];
			robot.on("event", (event) => {
				const written = JSON.stringify(event).matchAll(/"toolName":("(?:[^"\\]|\\.)*")/g);
				for (const [, toolName] of written) named.push(JSON.parse(String(toolName)));
			});
			const { toolCalls } = await robot.run("a");
			await robot.run("b");
			expect(model.calls.flatMap(({ prompt }) => faultsIn(prompt))).toEqual([]);
			expect(toolCalls[0]?.tool.name).toBe(name);
			expect(toolCalls[0]?.content).toContain(`there is no tool ${JSON.stringify(name.slice(0, 100))}`);
			expect(new Set(named)).toEqual(new Set([name]));
		},
	);

	it.each(["functions.echo:0", "c".repeat(65), "call 1", "ç1"])("gives a call whose id is %j another", async (id) => {
		const prompts = await promptsOf([{ toolCalls: [{ id, name: "echo" }] }, "done", "done"]);
		expect(prompts.flatMap(faultsIn)).toEqual([]);
		expect(JSON.stringify(prompts.at(-1))).toMatch(/"toolCallId":"call_[0-9a-f]{24}"/);
	});

	it("keeps an id and a name of 64 characters", async () => {
		const id = "c".repeat(64);
		const [, , last] = await promptsOf([{ toolCalls: [{ id, name: "n".repeat(64) }] }, "done", "done"]);
		expect(last?.[1]?.content).toMatchObject([{ toolCallId: id, toolName: "n".repeat(64) }]);
	});

	it.each([" ", "\n\t", "\u3000"])("has no text of %j alone, in an answer or besides calls", async (blank) => {
		const prompts = await promptsOf([{ text: blank, toolCalls: [{ name: "echo" }] }, blank, blank, "done"], {}, ["a", "b", "c"]);
		expect(prompts.flatMap(faultsIn)).toEqual([]);
	});

	it("has no blank text of a hook", async () => {
		class Blank extends Hook {
			static override readonly namespace = "blank";
			override async aroundLlmGeneration(_: unknown, next: HookNext<"llmGeneration">): Promise<LlmGenerationResult> {
				return { ...(await next()), text: "\n" };
			}
		}
		const prompts = await promptsOf([{ text: "1", toolCalls: [{ name: "echo" }] }, "2", "3"], { hooks: [new Blank()] });
		expect(prompts.flatMap(faultsIn)).toEqual([]);
	});

	it("has no half of a character: of errors, results, arguments, aborted answers, learnings and questions", async () => {
		const calls = [
			{ name: "boom" },
			{ name: "echo" },
			{ name: "echo", input: '{"text":"\\ud83d","k\\ude00":1}' },
			{ name: "echo", input: '{"\ud83d' },
		];
		const model = new ScriptedModel([{ text: "so \ud83d", toolCalls: calls }, { text: ["hi \ud83d", "\ude00"], hang: true }, "y", "z"]);
		const robot = new Robot({ name: "bob", model, localTools: [boom, echo], systemPrompt: "be \ud83d" });
		await robot.learn(`${"x".repeat(999)}😀`);
		const abort = new AbortController();
		await robot.run("a\ud83d", {
			signal: abort.signal,
			onContent: ({ content }) => {
				if (content.startsWith("hi")) abort.abort();
			},
		});
		await robot.run("b");
		await robot.run("c");
		expect(model.calls).toHaveLength(4);
		for (const { prompt } of model.calls) {
			expect(faultsIn(prompt)).toEqual([]);
			expect(JSON.stringify(prompt)).not.toMatch(/\\ud[89a-f]/);
		}
		expect(JSON.stringify(robot.messages)).not.toMatch(/\\ud[89a-f]/);
		expect(robot.messages[0]).toMatchObject({ content: "a\ufffd" });
	});

	it("is one that they take, whatever a model answers", async () => {
		const text = fc.string({ unit: fc.constantFrom("a", " ", "\n", "😀", "\ud83d", ".", '"') });
		const call = fc.record({
			id: fc.oneof(text, fc.constant("c1")),
			name: fc.oneof(text, fc.constantFrom("echo", "boom")),
			args: fc.dictionary(text, text),
		});
		const reply = fc.record({ text, toolCalls: fc.array(call, { maxLength: 3 }) });
		await fc.assert(
			fc.asyncProperty(fc.array(reply, { maxLength: 4 }), async (replies) => {
				const model = new ScriptedModel([...replies, "done", "done"]);
				const robot = new Robot({ name: "bob", model, localTools: [echo, boom], doomLoopThreshold: Number.POSITIVE_INFINITY });
				while (model.calls.length < replies.length + 2) await robot.run("a");
				expect(model.calls.flatMap(({ prompt }) => faultsIn(prompt))).toEqual([]);
				const { messages } = robot;
				robot.replaceMessages(messages);
				expect(robot.messages).toEqual(messages);
			}),
			{ numRuns: 60 },
		);
	});
});

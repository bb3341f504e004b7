import { fileURLToPath } from "node:url";
import { generateText, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { offlineModel } from "../../src/model/offline-model.js";
import { scoreMessageSet } from "./score-message-set.js";

const set = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

describe("offlineModel() on messages", () => {
	// The set was written before the model and was not read while it was built. Its first run, unchanged since in its thresholds:
	// tool (or rightly none) 84.0 %, rightly none 92.9 %, arguments exactly right 70.0 % of the rightly chosen tools. Changes made later
	// for messages of our own left all three as they were.
	it("chooses tools and takes arguments from a held-out message set as well as on its first run", async () => {
		const { messages, tool, none, args } = await scoreMessageSet(set("offline-messages.json"), offlineModel());
		expect(messages).toBeGreaterThan(50);
		expect({ tool: tool >= 0.84, none: none >= 0.92, args: args >= 0.7 }, `tool ${tool}, none ${none}, args ${args}`).toEqual({
			tool: true,
			none: true,
			args: true,
		});
	});

	// These two were at hand while it was built: they keep what works from breaking and say nothing about how well it works elsewhere.
	it.each(["offline-development-set.json", "offline-development-set-2.json"])("does not lose a message of %s", async (name) => {
		expect((await scoreMessageSet(set(name), offlineModel())).misses).toEqual([]);
	});
});

const weather = tool({
	description: "Get the current weather in a city",
	inputSchema: z.object({ city: z.string() }),
	execute: async ({ city }) => ({ city, sky: "clear" }),
});

describe("offlineModel() seen by the AI SDK's own reader", () => {
	it("calls the tool and answers from its output in generateText", async () => {
		const result = await generateText({
			model: offlineModel(),
			prompt: "What is the weather in Oslo?",
			tools: { weather },
			stopWhen: ({ steps }) => steps.length === 2,
		});
		expect(result.steps[0]?.toolCalls).toMatchObject([{ toolName: "weather", input: { city: "Oslo" } }]);
		expect(result.text).toMatch(/^offline: no language model was used; this is what the tool "weather" gave:/);
		expect(result.text).toContain('"sky": "clear"');
		expect(result.finishReason).toBe("stop");
	});

	it("streams its text in several deltas in streamText", async () => {
		const result = streamText({ model: offlineModel(), prompt: "Tell me a joke", tools: { weather } });
		const deltas: string[] = [];
		for await (const delta of result.textStream) deltas.push(delta);
		expect(deltas.length).toBeGreaterThan(5);
		expect(deltas.join("")).toMatch(
			/^offline: no language model was used, and no tool fits the message \(there are weather\)\. .*anthropic\/<model>/,
		);
	});
});

describe("offlineModel()", () => {
	const ask = async (content: string, tools: object[] = [], rest: object = {}) => {
		const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: content }] }];
		return (await offlineModel().doGenerate({ prompt, tools: tools as never, ...rest })).content;
	};
	const copy = {
		type: "function",
		name: "copy_file",
		description: "Copy a file",
		inputSchema: {
			type: "object",
			properties: { source: { type: "string" }, destination: { type: "string" } },
			required: ["source", "destination"],
		},
	};

	it("says which argument a fitting tool lacks instead of calling it", async () => {
		expect(await ask("Copy the file a.txt", [copy])).toMatchObject([
			{ type: "text", text: expect.stringMatching(/"copy_file" fits, but .* "destination"/) },
		]);
	});

	it("takes the name of a skill that a message begins with for no argument, and calls a script of that skill; a path stays one", async () => {
		const preview = (name: string) => ({
			type: "function",
			name,
			description: "Prints the first rows of a CSV file",
			inputSchema: { type: "object", properties: { file: { type: "string", description: "The file" } }, required: ["file"] },
		});
		const tools = [preview("other__preview"), preview("csv-tools__preview")];
		const called = async (message: string) => {
			const [part] = await ask(message, tools);
			return part?.type === "tool-call" ? [part.toolName, JSON.parse(part.input)] : part;
		};
		for (const name of ["/csv-tools", "$csv_tools,", "/CSV-Tools:", "/csv-tools /csv-tools"])
			expect(await called(`${name} preview the rows of sales.csv`)).toEqual(["csv-tools__preview", { file: "sales.csv" }]);
		expect(await called("/data/sales.csv is the file to preview rows of")).toEqual(["other__preview", { file: "/data/sales.csv" }]);
		expect(await called("/csv preview the first rows of this file")).toEqual(["other__preview", { file: "/csv" }]);
	});

	it("calls nothing when it must not or has nothing to call", async () => {
		expect(await ask("Copy a.txt to b.txt", [copy], { toolChoice: { type: "none" } })).toMatchObject([{ type: "text" }]);
		expect(await ask("Copy a.txt to b.txt")).toMatchObject([{ type: "text", text: expect.stringContaining("there are no tools to call") }]);
	});

	it("says that a tool failed and bounds what it quotes", async () => {
		const answer = async (output: object): Promise<string> => {
			const prompt = [
				{
					role: "tool" as const,
					content: [{ type: "tool-result" as const, toolCallId: "1", toolName: "copy_file", output: output as never }],
				},
			];
			const [part] = (await offlineModel().doGenerate({ prompt })).content;
			return part?.type === "text" ? part.text : "";
		};
		expect(await answer({ type: "error-text", value: "no space" })).toMatch(/the tool "copy_file" failed:\n\nno space$/);
		expect(await answer({ type: "error-text", value: "Error (exit 2):\nbad" })).toMatch(/failed:\n\nError \(exit 2\)/);
		expect(await answer({ type: "text", value: "Error (exit 2):\nbad" })).toMatch(/gave:\n\nError \(exit 2\)/);
		expect(await answer({ type: "text", value: "\n" })).toMatch(/gave no output\.$/);
		expect(await answer({ type: "text", value: "x".repeat(9_000) })).toMatch(/… \(5000 more characters\)$/);
	});

	it("reads a message of 1 MB in bounded time and finds the question at its end", async () => {
		const content = await ask(`${"lorem ipsum dolor 12 /a/b ".repeat(40_000)}\nCopy the file in.txt to out.txt`, [copy]);
		expect(content).toMatchObject([{ type: "tool-call", toolName: "copy_file" }]);
	});

	it.each(["", " ", "\0", "🙂", "((((", "--", "\"'`“", "a".repeat(5_000), "/".repeat(5_000), "1,".repeat(3_000), "a=".repeat(3_000)])(
		"answers the odd message %j",
		async (message) => {
			expect((await ask(message, [copy])).length).toBeGreaterThan(0);
		},
	);

	it("gives the same answer to the same message every time", async () => {
		expect(await ask("Copy a.txt to b.txt", [copy])).toEqual(await ask("Copy a.txt to b.txt", [copy]));
	});
});

import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { Choice } from "./choose-tool.js";
import type { OfferedTool } from "./offered-tool.js";

const MAX_QUOTED = 4_000;
const MAX_NAMES = 20;
const NOTICE = "offline: no language model was used";
const HOW_TO =
	'For an answer by a language model give one: "anthropic/<model>", "openai/<model>", "google/<model>" or "openai-compatible/<model>".';

type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;

/** What the tools gave, quoted; `undefined` where there is nothing of a tool. */
export function answerFrom({ content }: ToolMessage): string | undefined {
	const results = content.flatMap((part) => (part.type === "tool-result" ? [part] : []));
	if (results.length === 0) return undefined;
	return results.map(({ toolName, output }) => answerFromOne(toolName, output)).join("\n\n");
}

function answerFromOne(tool: string, output: LanguageModelV4ToolResultOutput): string {
	if (output.type === "execution-denied") {
		return `${NOTICE}; the tool "${tool}" was not allowed to run${output.reason ? `: ${bounded(output.reason)}` : "."}`;
	}
	const text = textOf(output);
	const failed = output.type === "error-text" || output.type === "error-json";
	if (failed) return `${NOTICE}; the tool "${tool}" failed:\n\n${bounded(text)}`;
	if (text.trim() === "") return `${NOTICE}; the tool "${tool}" ran and gave no output.`;
	return `${NOTICE}; this is what the tool "${tool}" gave:\n\n${bounded(text)}`;
}

function textOf(output: Exclude<LanguageModelV4ToolResultOutput, { type: "execution-denied" }>): string {
	switch (output.type) {
		case "text":
		case "error-text":
			return output.value;
		case "content":
			return output.value
				.map((part) => (part.type === "text" ? part.text : `[${part.type === "file" ? part.mediaType : part.type}]`))
				.join("\n");
		default:
			return JSON.stringify(output.value, undefined, 2);
	}
}

function bounded(text: string): string {
	const trimmed = text.trimEnd();
	if (trimmed.length <= MAX_QUOTED) return trimmed;
	return `${trimmed.slice(0, MAX_QUOTED)}\n… (${trimmed.length - MAX_QUOTED} more characters)`;
}

/** Why no tool was called. */
export function answerWithout(tools: readonly OfferedTool[], choice: Choice | undefined): string {
	if (choice !== undefined) {
		const lacks = choice.missing.map((name) => `"${name}"`).join(", ");
		return `${NOTICE}; the tool "${choice.tool.name}" fits, but the message does not tell its ${lacks}. ${HOW_TO}`;
	}
	if (tools.length === 0) return `${NOTICE}, and there are no tools to call. ${HOW_TO}`;
	const names = tools.slice(0, MAX_NAMES).map(({ name }) => name);
	const more = tools.length > MAX_NAMES ? ` and ${tools.length - MAX_NAMES} more` : "";
	return `${NOTICE}, and no tool fits the message (there are ${names.join(", ")}${more}). ${HOW_TO}`;
}

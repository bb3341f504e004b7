import type {
	LanguageModelV4Content,
	LanguageModelV4GenerateResult,
	LanguageModelV4Reasoning,
	LanguageModelV4StreamPart,
	LanguageModelV4Text,
	SharedV4ProviderMetadata,
} from "@ai-sdk/provider";

const NO_USAGE: LanguageModelV4GenerateResult["usage"] = {
	inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
	outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

type Block = LanguageModelV4Text | LanguageModelV4Reasoning;

/**
 * The same reply as `doGenerate` gives it: blocks put together, everything else in its place, what was said about the reply on top. Throws
 * what an error part carries. A reply without a finish part was cut, and is `interrupted`.
 */
export function generateResultOf(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4GenerateResult {
	const content: LanguageModelV4Content[] = [];
	const blocks = new Map<string, Block>();
	const result: LanguageModelV4GenerateResult = {
		content,
		finishReason: { unified: "interrupted", raw: undefined },
		usage: NO_USAGE,
		warnings: [],
	};
	for (const part of parts) {
		switch (part.type) {
			case "text-start":
			case "reasoning-start": {
				const block: Block = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
				blocks.set(blockKey(part), noted(block, part.providerMetadata));
				content.push(block);
				break;
			}
			case "text-delta":
			case "reasoning-delta": {
				const block = blocks.get(blockKey(part));
				if (block !== undefined) noted(block, part.providerMetadata).text += part.delta;
				break;
			}
			case "text-end":
			case "reasoning-end": {
				const block = blocks.get(blockKey(part));
				if (block !== undefined) noted(block, part.providerMetadata);
				if (block?.type === "text" && part.type === "text-end" && part.citations !== undefined) block.citations = part.citations;
				break;
			}
			case "stream-start":
				result.warnings.push(...part.warnings);
				break;
			case "response-metadata": {
				const { type: _, ...response } = part;
				result.response = response;
				break;
			}
			case "finish":
				result.finishReason = part.finishReason;
				result.usage = part.usage ?? NO_USAGE;
				if (part.providerMetadata !== undefined) result.providerMetadata = part.providerMetadata;
				break;
			case "error":
				throw part.error;
			case "tool-result":
				if (part.preliminary !== true) content.push(part);
				break;
			case "tool-input-start":
			case "tool-input-delta":
			case "tool-input-end":
			case "ping":
			case "raw":
				break; // how the reply came, not what it is
			default:
				content.push(part);
		}
	}
	return result;
}

/** A text and a reasoning may share an id. */
const blockKey = ({ type, id }: { readonly type: string; readonly id: string }): string => `${type.startsWith("text")} ${id}`;

/** The last that a provider attached to a block counts. */
function noted(block: Block, metadata: SharedV4ProviderMetadata | undefined): Block {
	if (metadata !== undefined) block.providerMetadata = metadata;
	return block;
}

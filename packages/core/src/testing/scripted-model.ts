import type {
	LanguageModelV4,
	LanguageModelV4CallOptions,
	LanguageModelV4GenerateResult,
	LanguageModelV4StreamPart,
	LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { generateResultOf } from "../model/generate-result.js";
import { partsOf } from "./scripted-parts.js";
import type { ScriptedReply, ScriptedRound } from "./scripted-reply.js";

/** A language model that answers from a list, one round a call, and keeps every call it got. */
export class ScriptedModel implements LanguageModelV4 {
	readonly specificationVersion = "v4";
	readonly provider: string = "scripted";
	readonly modelId: string = "scripted";
	readonly supportedUrls: Record<string, RegExp[]> = {};
	/** What the model was asked, call by call. */
	readonly calls: LanguageModelV4CallOptions[] = [];
	readonly #rounds: ScriptedRound[];
	#toolCalls = 0;

	constructor(rounds: ScriptedRound | readonly ScriptedRound[]) {
		this.#rounds = Array.isArray(rounds) ? [...rounds] : [rounds as ScriptedRound];
	}

	async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
		const reply = await this.#next(options);
		return { stream: streamOf(reply, this.#parts(reply), options.abortSignal) };
	}

	async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
		const reply = await this.#next(options);
		if (reply.error !== undefined) throw reply.error;
		return generateResultOf(this.#parts(reply));
	}

	#parts(reply: ScriptedReply): LanguageModelV4StreamPart[] {
		return partsOf(reply, () => `call-${++this.#toolCalls}`);
	}

	async #next(options: LanguageModelV4CallOptions): Promise<ScriptedReply> {
		this.calls.push(options);
		let round = this.#rounds.shift();
		while (typeof round === "function") round = await round(options);
		if (round === undefined) throw new Error(`ScriptedModel has no round left for call ${this.calls.length}.`);
		if (round instanceof Error) throw round;
		return typeof round === "string" ? { text: round } : round;
	}
}

function streamOf(
	reply: ScriptedReply,
	parts: readonly LanguageModelV4StreamPart[],
	signal?: AbortSignal,
): ReadableStream<LanguageModelV4StreamPart> {
	let next = 0;
	let waited = reply.delayMs === undefined;
	return new ReadableStream<LanguageModelV4StreamPart>({
		start: (controller) => signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true }),
		pull: async (controller) => {
			if (!waited) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
			waited = true;
			if (signal?.aborted) return;
			const part = parts[next++];
			if (part !== undefined) controller.enqueue(part);
			else if (reply.hang) await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
			else controller.close();
		},
	});
}

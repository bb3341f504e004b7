import { setTimeout as wait } from "node:timers/promises";
import type {
	LanguageModelV4,
	LanguageModelV4CallOptions,
	LanguageModelV4GenerateResult,
	LanguageModelV4StreamPart,
	LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { generateResultOf } from "../model/generate-result.js";
import { everyUrl } from "../model/model.js";
import { partStream } from "../model/part-stream.js";
import { partsOf } from "./scripted-parts.js";
import type { ScriptedReply, ScriptedRound } from "./scripted-reply.js";

/**
 * A language model that answers from a list, one round a call, and keeps every call it got. `doGenerate` gives what `doStream` streams; an
 * abort ends both with the signal's reason.
 */
export class ScriptedModel implements LanguageModelV4 {
	readonly specificationVersion = "v4";
	readonly provider: string = "scripted";
	readonly modelId: string = "scripted";
	readonly supportedUrls: Record<string, RegExp[]> = everyUrl();
	/** What the model was asked, call by call. */
	readonly calls: LanguageModelV4CallOptions[] = [];
	readonly #rounds: ScriptedRound[];
	#toolCalls = 0;

	constructor(rounds: ScriptedRound | readonly ScriptedRound[]) {
		this.#rounds = Array.isArray(rounds) ? [...rounds] : [rounds as ScriptedRound];
	}

	async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
		const reply = await this.#next(options);
		const parts = partsOf(reply, () => `call-${++this.#toolCalls}`);
		return { stream: partStream(paced(parts, reply, options.abortSignal), options.abortSignal) };
	}

	async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
		const { stream } = await this.doStream(options);
		const parts: LanguageModelV4StreamPart[] = [];
		for await (const part of stream) parts.push(part);
		return generateResultOf(parts);
	}

	async #next(options: LanguageModelV4CallOptions): Promise<ScriptedReply> {
		this.calls.push(options);
		options.abortSignal?.throwIfAborted();
		let round = this.#rounds.shift();
		while (typeof round === "function") round = await round(options);
		options.abortSignal?.throwIfAborted();
		if (round === undefined) throw new Error(`ScriptedModel has no round left for call ${this.calls.length}.`);
		if (round instanceof Error) throw round;
		return typeof round === "string" ? { text: round } : round;
	}
}

/** The parts in the time that the reply says. */
async function* paced(
	parts: readonly LanguageModelV4StreamPart[],
	{ delayMs, hang }: ScriptedReply,
	signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
	if (delayMs !== undefined) await wait(delayMs, undefined, signal && { signal });
	yield* parts;
	if (hang) await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
}

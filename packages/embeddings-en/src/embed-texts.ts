import { setImmediate } from "node:timers/promises";
import type { EmbedOptions } from "./contract.js";

/** How long texts are worked on before the rest of the process has its turn. */
const TURN_MS = 10;

/**
 * The vectors of texts, one after the other, with a turn for the rest of the process every {@link TURN_MS}. Loads nothing for no texts. Rejects with
 * what `load` rejects with, with a TypeError for what is no list of strings, and with the signal's reason.
 */
export async function embedTexts(
	texts: readonly string[],
	load: () => Promise<(text: string) => Float32Array>,
	{ signal }: EmbedOptions = {},
): Promise<Float32Array[]> {
	checkTexts(texts);
	signal?.throwIfAborted();
	if (texts.length === 0) return [];
	// whoever waits for the list may change it meanwhile
	const copies = [...texts];
	const vectorOf = await load();
	const vectors: Float32Array[] = [];
	let began = performance.now();
	for (const text of copies) {
		if (performance.now() - began > TURN_MS) {
			await setImmediate();
			began = performance.now();
		}
		signal?.throwIfAborted();
		vectors.push(vectorOf(text));
	}
	return vectors;
}

function checkTexts(texts: readonly unknown[]): void {
	if (!Array.isArray(texts)) throw new TypeError(`Embedding takes a list of texts, got ${texts === null ? "null" : typeof texts}.`);
	const wrong = texts.findIndex((text) => typeof text !== "string");
	if (wrong >= 0)
		throw new TypeError(`Embedding takes texts only, got ${texts[wrong] === null ? "null" : typeof texts[wrong]} at ${wrong}.`);
}

import type { Embedder } from "./contract.js";
import { embedTexts } from "./embed-texts.js";
import type { Vectors } from "./vectors.js";

export function createEmbedder({ id, calibration, load }: Vectors): Embedder {
	return { id, calibration, saysSame, embed: (texts, options) => embedTexts(texts, load, options) };
}

function saysSame(one: string, other: string): boolean {
	return inOneForm(one) === inOneForm(other);
}

const inOneForm = (text: string): string => text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();

import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import type { Embedder } from "./embedder.js";

/** Throws ConfigurationError, beginning with `what`, for what cannot embed. */
export function checkEmbedder(what: string, embedder: Embedder): void {
	if (typeof embedder?.id === "string" && typeof embedder.embed === "function") return;
	throw new ConfigurationError(`${what}: embedder must have an id and an embed function, got ${describeValue(embedder)}.`);
}

import { ConfigurationError } from "../errors/configuration-error.js";
import { didYouMean } from "../text/nearest-names.js";
import { shorten } from "../text/shorten.js";
import type { Model, ModelChoice } from "./model.js";
import { PROVIDERS, type Provider } from "./provider-registry.js";

/** The two halves of `provider/model`. Throws ConfigurationError naming the known providers when there is no such one. */
export function parseModelId(id: string): { readonly provider: Provider; readonly modelId: string } {
	const [name = "", ...rest] = id.split("/");
	const provider = PROVIDERS.get(name);
	if (provider === undefined) throw unknownProvider(id, name);
	const modelId = rest.join("/");
	if (modelId.trim() === "") {
		throw new ConfigurationError(`The model "${shown(id)}" lacks the model's own name: write it as "${name}/<model>".`);
	}
	return { provider, modelId };
}

/** Gives back what is a model of the specification; throws ConfigurationError, naming its version, for anything else. */
export function checkModel(value: unknown): Model {
	if (typeof value !== "object" || value === null) {
		throw new ConfigurationError(
			`A model must be a "provider/model" string or a language model of the AI SDK, got ${value === null ? "null" : typeof value}.`,
		);
	}
	const { specificationVersion, doStream } = value as Partial<Model>;
	const known = specificationVersion === "v4" || specificationVersion === "v3";
	if (known && typeof doStream === "function") return value as Model;
	if (known) throw new ConfigurationError(`The model says specificationVersion "${specificationVersion}" but has no doStream function.`);
	throw new ConfigurationError(
		`A model must have specificationVersion "v4" or "v3", this one has ${JSON.stringify(specificationVersion) ?? "none"}. Update its provider package to one made for AI SDK 6 or newer.`,
	);
}

/** Checks what can be checked without importing anything. */
export function checkModelChoice(choice: ModelChoice): void {
	if (typeof choice !== "string") checkModel(choice);
	else if (choice !== "offline") parseModelId(choice);
}

function unknownProvider(id: string, provider: string): ConfigurationError {
	const known = [...PROVIDERS.keys()].map((name) => `"${name}/…"`).join(", ");
	const hint = didYouMean(provider, [...PROVIDERS.keys(), "offline"]);
	return new ConfigurationError(
		`Unknown model "${shown(id)}".${hint} Known are ${known} and "offline"; or pass a language model of the AI SDK.`,
	);
}

const shown = (id: string): string => shorten(id, 100);

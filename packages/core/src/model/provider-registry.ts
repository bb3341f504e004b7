import type { Model } from "./model.js";

/** What a provider may read besides the model's id. */
export interface ProviderEnvironment {
	readonly [variable: string]: string | undefined;
}

/** How a provider's package makes a model. Its module is `unknown` here: the package is the user's, not ours. */
export interface Provider {
	readonly package: string;
	/** What is missing from the environment, as the end of an error message, or `undefined`. */
	readonly missing?: (environment: ProviderEnvironment) => string | undefined;
	readonly create: (module: ProviderModule, modelId: string, environment: ProviderEnvironment) => Model;
}

type ProviderModule = Readonly<Record<string, (argument: unknown) => unknown>>;

const BASE_URL = "OPENAI_COMPATIBLE_BASE_URL";
const API_KEY = "OPENAI_COMPATIBLE_API_KEY";

/** A package whose default provider, called with a model id, gives the model. It reads its key from its own variable. */
const byName = (packageName: string, exported: string): Provider => ({
	package: packageName,
	create: (module, modelId) => call(module, exported, modelId) as Model,
});

export const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
	["anthropic", byName("@ai-sdk/anthropic", "anthropic")],
	["openai", byName("@ai-sdk/openai", "openai")],
	["google", byName("@ai-sdk/google", "google")],
	[
		"openai-compatible",
		{
			package: "@ai-sdk/openai-compatible",
			missing: (environment) =>
				environment[BASE_URL]
					? undefined
					: `set ${BASE_URL} to the server's address, e.g. http://localhost:11434/v1 (and ${API_KEY} if it asks for a key)`,
			create: (module, modelId, environment) => openAiCompatible(module, modelId, environment),
		},
	],
]);

function openAiCompatible(module: ProviderModule, modelId: string, environment: ProviderEnvironment): Model {
	const apiKey = environment[API_KEY];
	const settings = { name: "openai-compatible", baseURL: environment[BASE_URL], ...(apiKey && { apiKey }), includeUsage: true };
	const provider = call(module, "createOpenAICompatible", settings);
	return (provider as (modelId: string) => Model)(modelId);
}

function call(module: ProviderModule, exported: string, argument: unknown): unknown {
	const create = module[exported];
	if (typeof create !== "function") throw new TypeError(`it does not export ${exported}`);
	return create(argument);
}

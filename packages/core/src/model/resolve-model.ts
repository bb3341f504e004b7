import { ConfigurationError } from "../errors/configuration-error.js";
import { DependencyError } from "../errors/dependency-error.js";
import { messageOf } from "../text/message-of.js";
import type { Model, ModelChoice } from "./model.js";
import { checkModel, parseModelId } from "./model-id.js";
import { offlineModel } from "./offline-model.js";
import type { ProviderEnvironment } from "./provider-registry.js";

/** What {@link resolveModel} takes from its surroundings. Defaults: the process's environment, and `import` seen from this package. */
export interface ResolveModelOptions {
	readonly environment?: ProviderEnvironment;
	readonly importPackage?: (name: string) => Promise<unknown>;
}

/**
 * Turns `"provider/model"` into a language model; a model passes through, `"offline"` is the model that needs none.
 *
 * The providers are `anthropic`, `openai`, `google` and `openai-compatible`; each package is the user's to install and is imported
 * here, when it is needed. Slashes after the first belong to the model's id. `openai-compatible` reads its server's address from
 * `OPENAI_COMPATIBLE_BASE_URL` and its key, where it needs one, from `OPENAI_COMPATIBLE_API_KEY`.
 *
 * Throws DependencyError for a package that is not installed and ConfigurationError for everything else that cannot be a model.
 */
export async function resolveModel(choice: ModelChoice, options: ResolveModelOptions = {}): Promise<Model> {
	if (typeof choice !== "string") return checkModel(choice);
	if (choice === "offline") return offlineModel();
	const { environment = process.env, importPackage = (name) => import(/* @vite-ignore */ name) } = options;
	const { provider, modelId } = parseModelId(choice);
	const missing = provider.missing?.(environment);
	if (missing !== undefined) throw new ConfigurationError(`Cannot use the model "${choice}": ${missing}.`);
	const module = await importProvider(choice, provider.package, importPackage);
	try {
		return checkModel(provider.create(module as never, modelId, environment));
	} catch (cause) {
		if (ConfigurationError.isInstance(cause)) throw cause;
		throw new ConfigurationError(`Cannot use the model "${choice}": ${provider.package} could not make it (${reasonOf(cause)}).`, {
			cause,
		});
	}
}

async function importProvider(choice: string, name: string, importPackage: (name: string) => Promise<unknown>): Promise<unknown> {
	try {
		return await importPackage(name);
	} catch (cause) {
		if (isMissing(cause, name)) {
			throw new DependencyError(
				name,
				`The model "${choice}" needs the package ${name}, which is not installed. Install it: npm install ${name}`,
				{
					cause,
				},
			);
		}
		throw new ConfigurationError(`Cannot use the model "${choice}": loading ${name} failed (${reasonOf(cause)}).`, { cause });
	}
}

/** The package itself is missing, not something that it imports. A bundler says so in other words than Node. */
function isMissing(error: unknown, name: string): boolean {
	const message = error instanceof Error ? error.message : "";
	return (
		/cannot find (?:package|module)|could not resolve/i.test(message) &&
		[`'${name}'`, `"${name}"`].some((quoted) => message.includes(quoted))
	);
}

const reasonOf = (error: unknown): string | undefined => messageOf(error).split("\n")[0];

import { createRequire } from "node:module";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { Embedder } from "../embedding/embedder.js";
import { checkEmbedder } from "../embedding/embedder-check.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { DependencyError } from "../errors/dependency-error.js";
import { checkNames } from "../options/check-options.js";
import { realPath } from "../paths/real-path.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";

/** Where {@link loadEmbedder} looks. Default: what this process runs. */
export interface LoadEmbedderOptions {
	/** The file of the main program; `undefined` for none. */
	readonly main?: string | undefined;
}

/** A package, perhaps with a path in it. No way up, no address, no module of Node's own. */
const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/[\w-][\w.-]*)*$/i;

/**
 * The embedder of a package such as `"@robot-lab/embeddings-en"`, or of the module at an absolute path: what its exported function `embedder()` gives.
 *
 * A package is looked for from the main program's file, then from this package, and never from the working directory: the project that somebody happens to
 * be in must not choose what runs.
 *
 * Rejects with DependencyError for a package that is not installed, and with ConfigurationError for what is no name, fails to load or gives no embedder.
 */
export async function loadEmbedder(name: string, options: LoadEmbedderOptions = {}): Promise<Embedder> {
	checkNames("loadEmbedder()", options, ["main"]);
	const main = "main" in options ? options.main : mainProgram(process.argv[1], process.execArgv);
	const what = `The embedder ${describeValue(name)}`;
	const address = addressOf(what, name, main);
	const embedder = await madeBy(what, address);
	checkEmbedder(what, embedder as Embedder);
	return embedder as Embedder;
}

/** The file that Node was started with. With `--eval` its first argument stands in its place, which may be anything. */
export function mainProgram(file: string | undefined, nodeArguments: readonly string[]): string | undefined {
	const isEval = nodeArguments.some((argument) => /^(?:-[a-z]*[ep][a-z]*|--eval(?:=.*)?|--print(?:=.*)?)$/.test(argument));
	return file !== undefined && isAbsolute(file) && !isEval ? file : undefined;
}

function addressOf(what: string, name: unknown, main: string | undefined): string {
	if (typeof name === "string" && isAbsolute(name)) return pathToFileURL(name).href;
	if (typeof name !== "string" || !PACKAGE.test(name))
		throw new ConfigurationError(
			`${what} is neither the name of a package nor an absolute path. Give one, e.g. "@robot-lab/embeddings-en".`,
		);
	const address = (main && resolveFrom(realPath(main), name)) ?? resolveFrom(import.meta.filename, name) ?? resolveHere(name);
	if (address !== undefined) return address;
	throw new DependencyError(name, `${what} is a package that is not installed. Install it beside your program: npm install ${name}`);
}

/** As `require` finds it, which takes a file to start at; a package that is for `import` alone is found from here only. */
function resolveFrom(file: string, name: string): string | undefined {
	try {
		const found = createRequire(file).resolve(name);
		return isAbsolute(found) ? pathToFileURL(found).href : undefined;
	} catch {
		return undefined;
	}
}

function resolveHere(name: string): string | undefined {
	try {
		const address = import.meta.resolve(name);
		return address.startsWith("file:") ? address : undefined;
	} catch {
		return undefined;
	}
}

async function madeBy(what: string, address: string): Promise<unknown> {
	let module: { readonly embedder?: unknown };
	try {
		module = await import(/* @vite-ignore */ address);
	} catch (cause) {
		throw new ConfigurationError(`${what} cannot be loaded: ${messageOf(cause).split("\n")[0]}`, { cause });
	}
	if (typeof module.embedder !== "function")
		throw new ConfigurationError(
			`${what} cannot be used: its module exports no function embedder(). Name a package that does, e.g. "@robot-lab/embeddings-en".`,
		);
	try {
		return await module.embedder();
	} catch (cause) {
		throw new ConfigurationError(`${what} cannot be used: its embedder() failed: ${messageOf(cause).split("\n")[0]}`, { cause });
	}
}

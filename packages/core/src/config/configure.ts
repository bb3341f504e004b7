import { ConfigurationError } from "../errors/configuration-error.js";
import type { Config, ConfigChange, ConfigDraft } from "./config.js";
import { resolveConfig } from "./resolve.js";
import { checkWritten, mergeWritten, type Written } from "./written.js";

interface Store {
	written: Written;
}

/**
 * On `globalThis`, as the executor slot is: with two copies of this package loaded, an executor that asked its own copy
 * whether confinement is on would otherwise run unconfined what the program had confined through the other.
 */
const KEY: unique symbol = Symbol.for("@robot-lab/core/config/v1") as never;

function store(): Store {
	const holder = globalThis as { [KEY]?: Store };
	holder[KEY] ??= { written: {} };
	return holder[KEY];
}

let resolved: { readonly from: Written; readonly config: Config } | undefined;

/** The configuration as it stands: complete, deeply frozen. A later `configure` makes a new one and leaves this one as it is. */
export function config(): Config {
	const { written } = store();
	if (resolved?.from !== written) resolved = { from: written, config: resolveConfig(written) };
	return resolved.config;
}

/**
 * Changes the configuration and answers with the new one.
 *
 * A function edits a draft of what was written so far; an object is merged over it, section by section. Throws a
 * ConfigurationError for a setting that does not exist or a value it does not take; nothing is changed then.
 */
export function configure(change: ConfigChange | ((draft: ConfigDraft) => void)): Config {
	const { written } = store();
	const next = typeof change === "function" ? editDraft(written, change) : mergeWritten(written, checkWritten(change));
	store().written = next;
	return config();
}

function editDraft(written: Written, edit: (draft: ConfigDraft) => void): Written {
	const draft = { sandbox: {}, scripts: {}, ...structuredClone(written) } as ConfigDraft;
	const answer: unknown = edit(draft);
	if (answer instanceof Promise) {
		answer.catch(() => {});
		throw new ConfigurationError(
			"configure: the function must not be async; what it changes after an await would be lost. Await first, then configure.",
		);
	}
	return checkWritten(draft);
}

/** Forgets what `configure` changed and answers with the configuration as it is then. */
export function reloadConfig(): Config {
	store().written = {};
	return config();
}

import { isDeepStrictEqual } from "node:util";
import { ConfigurationError } from "../errors/configuration-error.js";
import { warnOnce } from "../errors/warn-once.js";
import type { Config, ConfigChange, ConfigDraft } from "./config.js";
import { processSurroundings } from "./config-files.js";
import type { ConfigOrigin } from "./config-origin.js";
import { type LoadedConfig, loadConfig } from "./load-config.js";
import { resolveConfig } from "./resolve.js";
import { SETTINGS, valueAt } from "./settings.js";
import { checkWritten, mergeWritten, type Written } from "./written.js";

interface Store {
	/** What was loaded, with what `configure` changed since. Absent until somebody asks: importing this package reads no file. */
	state?: LoadedConfig;
}

/**
 * On `globalThis`, as the executor slot is: with two copies of this package loaded, an executor that asked its own copy
 * whether confinement is on would otherwise run unconfined what the program had confined through the other.
 */
const KEY: unique symbol = Symbol.for("@robot-lab/core/config/v1") as never;

function store(): Store {
	const holder = globalThis as { [KEY]?: Store };
	holder[KEY] ??= {};
	return holder[KEY];
}

let resolved: { readonly from: Written; readonly config: Config } | undefined;

/**
 * The configuration as it stands: complete, deeply frozen. A later `configure` makes a new one and leaves this one as it is.
 *
 * The first call reads the configuration files and the `ROBOT_LAB_*` variables, synchronously, and throws a ConfigurationError for what
 * cannot be used in them. What is ignored in them is a process warning.
 */
export function config(): Config {
	const { written } = configState();
	if (resolved?.from !== written) resolved = { from: written, config: resolveConfig(written) };
	return resolved.config;
}

/** What was written so far, and where. */
export function configState(): LoadedConfig {
	return store().state ?? load();
}

function load(): LoadedConfig {
	const state = loadConfig(processSurroundings());
	for (const notice of state.notices) warnOnce(notice, notice, "ROBOT_LAB_CONFIGURATION_IGNORED");
	store().state = state;
	return state;
}

/**
 * Changes the configuration and answers with the new one.
 *
 * A function edits a draft of what was written so far, in files and variables too; an object is merged over it, section by section. Throws
 * a ConfigurationError for a setting that does not exist or a value it does not take; nothing is changed then.
 */
export function configure(change: ConfigChange | ((draft: ConfigDraft) => void)): Config {
	const state = configState();
	const { written } = state;
	const isEdit = typeof change === "function";
	const given = isEdit ? editDraft(written, change) : checkWritten(change);
	const next = isEdit ? given : mergeWritten(written, given);
	const origins = new Map<string, ConfigOrigin>(state.origins);
	for (const { name, path } of SETTINGS.values()) {
		const value = valueAt(given, path);
		if (isEdit && value === undefined) origins.delete(name);
		else if (isEdit ? !isDeepStrictEqual(value, valueAt(written, path)) : value !== undefined) origins.set(name, { layer: "configure" });
	}
	store().state = { ...state, written: next, origins };
	return config();
}

function editDraft(written: Written, edit: (draft: ConfigDraft) => void): Written {
	const draft = { sandbox: {}, scripts: {}, skills: {}, ...structuredClone(written) } as ConfigDraft;
	const answer: unknown = edit(draft);
	if (answer instanceof Promise) {
		answer.catch(() => {});
		throw new ConfigurationError(
			"configure: the function must not be async; what it changes after an await would be lost. Await first, then configure.",
		);
	}
	return checkWritten(draft);
}

/** Forgets what `configure` changed, reads files and variables again, and answers with the configuration as it is then. Throws as `config` does; nothing is changed then. */
export function reloadConfig(): Config {
	load();
	return config();
}

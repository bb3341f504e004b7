import type { Config } from "./config.js";
import type { ConfigOrigin } from "./config-origin.js";
import { configState } from "./configure.js";
import type { ConfigFile } from "./load-config.js";
import { maskSecret } from "./mask-secret.js";
import { resolveConfig } from "./resolve.js";
import { SETTINGS, TRUSTED_PROJECTS, valueAt } from "./settings.js";
import { shownServers } from "./shown-servers.js";

/** One setting as it stands. */
export interface ConfigSetting {
	/** As files spell it: `sandbox.fs_read`. */
	readonly name: string;
	/** Absent where nothing is set and there is no default. A text is masked where its name looks like a secret's, and of MCP servers what often holds one. */
	readonly value?: unknown;
	readonly origin: ConfigOrigin;
}

/** Where the configuration came from. */
export interface ConfigSources {
	/** `ROBOT_LAB_ENV`, else `NODE_ENV`, else `development`. */
	readonly environment: string;
	/** Where settings were looked for, in the order in which they count. */
	readonly files: readonly ConfigFile[];
	/** Every setting there is. */
	readonly settings: readonly ConfigSetting[];
	/** What was ignored in files and variables, and why. */
	readonly ignored: readonly string[];
}

/** Every setting with its value and where that came from, e.g. to be shown to a person. Reads files and variables as `config` does. */
export function configSources(): ConfigSources {
	const { written, origins, environment, files, notices, trust } = configState();
	// A section that nobody wrote is absent from the configuration; what would hold is shown all the same.
	const config = resolveConfig({ sandbox: {}, ...written });
	const settings = [...SETTINGS.values()].map(({ name, path }): ConfigSetting => {
		if (name === TRUSTED_PROJECTS) return { name, value: trust.setting?.value ?? [], origin: trust.setting?.origin ?? DEFAULT };
		const value = valueAt({ ...config }, path);
		const origin = value === undefined ? DEFAULT : (origins.get(name) ?? DEFAULT);
		return { name, ...(value !== undefined && { value: shownValue(name, value) }), origin };
	});
	return { environment, files, settings, ignored: notices };
}

const shownValue = (name: string, value: unknown): unknown =>
	name === "mcp_servers" ? shownServers(value as NonNullable<Config["mcpServers"]>) : maskSecret(name, value);

const DEFAULT: ConfigOrigin = { layer: "default" };

import type { Check, Section } from "./check.js";
import { CONFIG_SECTIONS } from "./checks.js";
import { snakeCase } from "./snake-case.js";
import { fixedPaths } from "./value-checks.js";
import type { Written } from "./written.js";

/** One setting, as files and variables write it. */
export interface Setting {
	/** As files spell it, from the top: `sandbox.fs_read`. */
	readonly name: string;
	/** The keys that lead to it in TypeScript: `["sandbox", "fsRead"]`. */
	readonly path: readonly string[];
	/** Of what files and variables write. */
	readonly check: Check;
}

export type Settings = ReadonlyMap<string, Setting>;

/** The setting by which a user says whose project files count whole. Only for files and variables: by `configure` it would come too late. */
export const TRUSTED_PROJECTS = "trusted_projects";

/** Every setting below a section, by its name. */
export function settingsOf(section: Section, above: readonly string[] = []): Settings {
	const settings = new Map<string, Setting>();
	for (const [key, rule] of Object.entries(section)) {
		const path = [...above, key];
		const name = path.map(snakeCase).join(".");
		if (typeof rule === "function") settings.set(name, { name, path, check: rule.inFiles ?? rule });
		else for (const setting of settingsOf(rule, path).values()) settings.set(setting.name, setting);
	}
	return settings;
}

/** What files and variables may set. */
export const SETTINGS: Settings = settingsOf({ ...CONFIG_SECTIONS, trustedProjects: fixedPaths });

/** The names of all sections: `sandbox`, `sandbox.limits`, … */
export const SECTION_NAMES: ReadonlySet<string> = new Set(
	[...SETTINGS.keys()]
		.flatMap((name) => name.split(".").map((_, end, parts) => parts.slice(0, end).join(".")))
		.filter((name) => name !== ""),
);

/** The value at a setting's path; nothing where there is none. */
export function valueAt(written: Written, path: readonly string[]): unknown {
	let value: unknown = written;
	for (const key of path)
		value = typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Written)[key] : undefined;
	return value;
}

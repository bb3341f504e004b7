import { fileURLToPath } from "node:url";
import { ConfigurationError } from "../errors/configuration-error.js";
import { expandPath } from "../paths/expand-path.js";
import { describeValue } from "../text/describe-value.js";

/** The absolute path, `~` expanded. Throws ConfigurationError for what is none. @param action e.g. `"load a skill from"`. @param step e.g. `"give the path of its SKILL.md"`. */
export function skillPath(path: string | URL, action: string, step: string): string {
	try {
		if (path instanceof URL) return fileURLToPath(path);
		if (typeof path === "string" && path !== "") return expandPath(path);
	} catch (cause) {
		throw new ConfigurationError(`Cannot ${action} ${String(path)}: ${(cause as Error).message}`, { cause });
	}
	throw new ConfigurationError(`Cannot ${action} ${describeValue(path)}: ${step}.`);
}

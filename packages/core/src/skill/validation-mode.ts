import { config } from "../config/configure.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";

/** How the Agent Skills standard is held: to the letter (`strict`), or as its guide for clients asks (`lenient`), where most flaws are warnings. */
export type ValidationMode = "strict" | "lenient";

const MODES: readonly unknown[] = ["strict", "lenient"];

/** What was asked for, else what is configured. Throws ConfigurationError for anything else. @param what Takes it, e.g. `"AgentSkill.load()"`. */
export function validationMode(what: string, name: string, mode: ValidationMode | undefined): ValidationMode {
	if (mode === undefined) return config().skills.validation;
	if (MODES.includes(mode)) return mode;
	throw new ConfigurationError(`${what} takes "strict" or "lenient" as ${name}, got ${describeValue(mode)}. Give one of the two.`);
}

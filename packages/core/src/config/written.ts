import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { type Check, flawText, keptOf, type Section } from "./check.js";
import { CONFIG_SECTIONS } from "./checks.js";

/** What was written, and nothing that was not: no defaults, no empty sections, no `undefined`. */
export interface Written {
	readonly [key: string]: unknown;
}

/** A checked copy of `value`. Throws a ConfigurationError that names the key, what was given and what it takes. */
export function checkWritten(value: unknown, section: Section = CONFIG_SECTIONS, path = ""): Written {
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		throw new ConfigurationError(`configure: ${path || "the change"} must be an object of settings, not ${describeValue(value)}.`);
	}
	const copy: Record<string, unknown> = {};
	for (const [key, entry] of Object.entries(value)) {
		const checked = checkEntry(entry, section, path, key);
		if (checked !== undefined) copy[key] = checked;
	}
	return copy;
}

function checkEntry(entry: unknown, section: Section, path: string, key: string): unknown {
	const rule = Object.hasOwn(section, key) ? section[key] : undefined;
	const name = path ? `${path}.${key}` : key;
	if (rule === undefined) {
		throw new ConfigurationError(
			`configure: there is no setting ${name}. Settings of ${path || "the top level"}: ${Object.keys(section).join(", ")}.`,
		);
	}
	if (entry === undefined) return undefined;
	return typeof rule === "function" ? checkValue(entry, rule, name) : nonEmpty(checkWritten(entry, rule, name));
}

function checkValue(entry: unknown, check: Check, name: string): unknown {
	const copy = Array.isArray(entry) ? [...entry] : entry;
	const flaw = flawText(name, copy, check);
	if (flaw === undefined) return keptOf(copy, check);
	throw new ConfigurationError(`configure: ${flaw}.`);
}

/** `change` laid over `base`, both checked: sections merge key by key, all else is replaced, a list and the MCP servers whole. */
export function mergeWritten(base: Written, change: Written, section: Section = CONFIG_SECTIONS): Written {
	const merged: Record<string, unknown> = { ...base };
	for (const [key, entry] of Object.entries(change)) {
		const [earlier, rule] = [merged[key], section[key]];
		const isMerged = earlier !== undefined && typeof rule === "object";
		merged[key] = isMerged ? mergeWritten(earlier as Written, entry as Written, rule) : entry;
	}
	return merged;
}

const nonEmpty = (section: Written): Written | undefined => (Object.keys(section).length > 0 ? section : undefined);

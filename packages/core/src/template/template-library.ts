import { ConfigurationError } from "../errors/configuration-error.js";
import { warnOnce } from "../errors/warn-once.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { parseTemplate } from "./parse-template.js";
import type { Template } from "./template.js";
import type { TemplateDirectory } from "./template-directory.js";
import { isTemplateId } from "./template-id.js";

/** Templates that were read, by their ids. */
export type TemplateLibrary = ReadonlyMap<string, Template>;

/**
 * Reads a template and every template skill that it, or one of them, names. A name without a file may be that of an Agent Skill and is
 * left out. What is ignored in front matter is a process warning (`ROBOT_LAB_TEMPLATE_IGNORED`).
 *
 * @param main Must be there: otherwise a ConfigurationError names it and the nearest there is.
 * @param names Template skills to be read besides, where there are such.
 */
export function readTemplates(directory: TemplateDirectory, main: string | undefined, names: readonly string[]): TemplateLibrary {
	const library = new Map<string, Template>();
	const read = (id: string): boolean => {
		if (library.has(id)) return true;
		const template = readTemplate(directory, id);
		if (template === undefined) return false;
		library.set(id, template);
		return true;
	};
	if (main !== undefined && !read(main)) throw noTemplate(directory, main);
	for (const name of names) read(name);
	// what is added while this goes on is gone through, too
	for (const { skills } of library.values()) for (const id of skills) read(id);
	return library;
}

function readTemplate(directory: TemplateDirectory, id: string): Template | undefined {
	const file = directory.file(id);
	try {
		const text = directory.read(id);
		if (text === undefined) return undefined;
		const { template, notices } = parseTemplate(id, text);
		for (const notice of notices) warnOnce(`${file}: ${notice}`, `${file}: ${notice}`, "ROBOT_LAB_TEMPLATE_IGNORED");
		return template;
	} catch (error) {
		const reason = ConfigurationError.isInstance(error)
			? error.message
			: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? error}).`;
		throw new ConfigurationError(`The template "${id}" cannot be used, ${file}: ${reason}`, { cause: error });
	}
}

function noTemplate(directory: TemplateDirectory, id: unknown): ConfigurationError {
	const ids = directory.ids();
	const shown = describeValue(id);
	const hint = typeof id === "string" ? didYouMean(id, ids) : "";
	if (!isTemplateId(id)) {
		const rule =
			"An id is made of names of letters, digits, _, - and ., parted by /; it leads to a file below the template directory only.";
		return new ConfigurationError(`${shown} cannot be the id of a template.${hint} ${rule}`);
	}
	const there = ids.length === 0 ? "There are none in it." : `There are: ${ids.slice(0, 20).join(", ")}.`;
	return new ConfigurationError(`There is no template ${shown} in ${directory.path} (templatePath).${hint} ${there}`);
}

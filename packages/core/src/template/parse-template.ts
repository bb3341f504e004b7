import { parseFrontMatter } from "../markdown/parse-front-matter.js";
import { splitFrontMatter } from "../markdown/split-front-matter.js";
import { compileBody } from "./compile-body.js";
import type { Template } from "./template.js";
import { readTemplateFields } from "./template-fields.js";

/** A template, and what of its front matter is ignored. */
export interface ParsedTemplate {
	readonly template: Template;
	readonly notices: readonly string[];
}

/**
 * Reads the text of a template: Markdown, with or without front matter. Runs nothing that is in it. Throws a ConfigurationError that says
 * what is wrong, without the file's name.
 */
export function parseTemplate(id: string, text: string): ParsedTemplate {
	const { frontMatter, body, firstLine } = split(text);
	// a line for the fence, so that mistakes are told by the lines of the file
	const { notices, ...fields } = readTemplateFields(parseFrontMatter(`\n${frontMatter}`).values);
	const trimmed = body.trimStart();
	const blankLines = body.slice(0, body.length - trimmed.length).split("\n").length - 1;
	return { template: { id, ...fields, body: compileBody(trimmed.trimEnd(), firstLine + blankLines) }, notices };
}

function split(text: string): { readonly frontMatter: string; readonly body: string; readonly firstLine: number } {
	if (!/^\uFEFF?---/.test(text)) return { frontMatter: "", body: text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n"), firstLine: 1 };
	const { frontMatter, body } = splitFrontMatter(text);
	return { frontMatter, body, firstLine: (frontMatter === "" ? 0 : frontMatter.split("\n").length) + 3 };
}

import { ConfigurationError } from "../errors/configuration-error.js";
import { renderBody } from "./render-body.js";
import type { Template } from "./template.js";
import { filledIn, type TemplateValues } from "./template-values.js";

/**
 * The texts of templates, filled in, without blanks around them and with a blank line between them. Throws a ConfigurationError for values that are missing, and for a
 * text that gets too long.
 */
export function renderTemplates(templates: readonly Template[], values: TemplateValues): string {
	const filled = filledIn(values, templates);
	return templates
		.map((template, index) => render(template, filled[index] ?? values))
		.filter((text) => text !== "")
		.join("\n\n");
}

function render({ id, body }: Template, values: TemplateValues): string {
	try {
		return renderBody(body, values).trim();
	} catch (error) {
		if (!ConfigurationError.isInstance(error)) throw error;
		throw new ConfigurationError(`The template "${id}" ${error.message}`, { cause: error });
	}
}

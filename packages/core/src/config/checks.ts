import { selectionFlaw } from "../value/selection.js";
import type { Check, Section } from "./check.js";
import { LIMITS, REACH } from "./grant-fields.js";
import { isInjectingVariable } from "./injecting-variables.js";
import { mcpServers } from "./mcp-servers-check.js";
import { skillGrants } from "./skill-grants-check.js";
import { flag, listOf, oneOf, paths, text, wholeNumber } from "./value-checks.js";

/** Nothing is expanded in them, so what would be meant to be is refused. */
const NO_EXACT_NAME = /^$|[=*?$\s\0]/;

const variables: Check = listOf("names of environment variables", (name) => {
	if (typeof name !== "string" || NO_EXACT_NAME.test(name)) return "exact names of environment variables";
	return isInjectingVariable(name) ? "variables that neither load code into programs nor lead to an agent" : undefined;
});

/** Every key there is. */
export const CONFIG_SECTIONS: Section = {
	sandbox: {
		enabled: flag,
		...REACH,
		backend: oneOf("auto", "seatbelt", "bubblewrap", "none"),
		require: flag,
		protect: flag,
		trustCore: paths,
		env: oneOf("keep", "scrub"),
		envPass: variables,
		limits: LIMITS,
	},
	scripts: {
		cwd: oneOf("work", "skill"),
		requireExecutable: flag,
		maxModelBytes: wholeNumber("bytes", 256),
		nested: flag,
		pep723: oneOf("off", "uv"),
	},
	skills: {
		roots: paths,
		discover: flag,
		validation: oneOf("lenient", "strict"),
		activation: oneOf("prepend", "tool", "both"),
		embedder: text,
		topK: wholeNumber("skills", 1),
		candidates: wholeNumber("skills", 0),
		maxBytes: wholeNumber("bytes", 1),
		grants: skillGrants,
	},
	model: text,
	templatePath: text,
	mcpServers,
	mcp: selectionFlaw,
	tools: selectionFlaw,
};

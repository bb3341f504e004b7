import { config } from "../config/configure.js";
import { type Expansion, expandTemplates } from "../template/expand-templates.js";
import { renderTemplates } from "../template/render-templates.js";
import type { Template, TemplateContext, TemplateSettings } from "../template/template.js";
import { TemplateDirectory } from "../template/template-directory.js";
import { readTemplates, type TemplateLibrary } from "../template/template-library.js";
import { checkKnown, type TemplateValues, templateValues } from "../template/template-values.js";
import type { RobotOptions } from "./robot-options.js";

const NO_AGENT_SKILLS: ReadonlySet<string> = new Set();

/** A robot's template and template skills, read from their files once: what changes there later is for other robots. */
export class RobotTemplates {
	/** The names that may be those of Agent Skills. */
	readonly names: readonly string[];
	/** What the template itself says, without its skills. */
	readonly main: Template | undefined;
	readonly #library: TemplateLibrary;
	readonly #roots: readonly string[];
	readonly #given: TemplateValues;

	/** Throws ConfigurationError for a template that is not there or cannot be used, and for values that nothing takes. */
	constructor({ template, context, skills }: Pick<RobotOptions, "template" | "context" | "skills">) {
		this.#roots = isNames(skills) ? skills : [];
		const isNeeded = template !== undefined || this.#roots.length > 0;
		this.#library = isNeeded ? readTemplates(new TemplateDirectory(config().templatePath), template, this.#roots) : new Map();
		this.main = template === undefined ? undefined : this.#library.get(template);
		const templates = [...this.#library.values()];
		this.names = [...new Set([...this.#roots, ...templates.flatMap((each) => each.skills)])];
		this.#given = templateValues(context ?? {});
		checkKnown(this.#given, templates);
	}

	/** Where templates are looked for, and which there are. Reads the directory. */
	known(): { readonly path: string; readonly ids: readonly string[] } {
		const directory = new TemplateDirectory(config().templatePath);
		return { path: directory.path, ids: directory.ids() };
	}

	/** What is used once it is known which names are those of Agent Skills; without them, which templates there would be at most. */
	expand(agentSkillNames: { has(name: string): boolean } = NO_AGENT_SKILLS): Expansion {
		return expandTemplates(this.#library, this.main?.id, this.#roots, agentSkillNames);
	}

	/** The texts of the templates, with a run's own values over the robot's. Throws ConfigurationError for what is missing or nothing takes. */
	render(templates: readonly Template[], context: TemplateContext | undefined): string {
		const given = templateValues(context ?? {});
		checkKnown(given, [...this.#library.values()]);
		return renderTemplates(templates, new Map([...this.#given, ...given]));
	}
}

/** What templates say about the model together: later ones over earlier ones, so that the main template counts more than its skills. */
export const settingsOf = (templates: readonly Template[]): TemplateSettings =>
	Object.assign({}, ...templates.map(({ settings }) => settings)) as TemplateSettings;

function isNames(skills: RobotOptions["skills"]): skills is readonly string[] {
	return Array.isArray(skills) && skills.every((name) => typeof name === "string");
}

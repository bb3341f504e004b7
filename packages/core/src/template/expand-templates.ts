import type { Template } from "./template.js";
import type { TemplateLibrary } from "./template-library.js";

/** What the skills of a template come to. */
export interface Expansion {
	/** Each once, every one behind those that it names; the main template is the last. */
	readonly templates: readonly Template[];
	/** The names that are those of Agent Skills, each once. */
	readonly agentSkills: readonly string[];
	/** The names that nobody knows. */
	readonly unknown: readonly string[];
}

/**
 * Goes through what a robot and its template name, depth first. A name of an Agent Skill means that skill, whatever template has the same
 * name. What was met before is left out, so that circles come to an end.
 */
export function expandTemplates(
	library: TemplateLibrary,
	main: string | undefined,
	names: readonly string[],
	agentSkillNames: { has(name: string): boolean },
): Expansion {
	const templates: Template[] = [];
	const agentSkills: string[] = [];
	const unknown: string[] = [];
	const met = new Set<string>(main === undefined ? [] : [main]);
	const visit = (name: string): void => {
		if (met.has(name)) return;
		met.add(name);
		const template = library.get(name);
		if (agentSkillNames.has(name)) agentSkills.push(name);
		else if (template === undefined) unknown.push(name);
		else add(template);
	};
	const add = (template: Template): void => {
		for (const skill of template.skills) visit(skill);
		templates.push(template);
	};
	for (const name of names) visit(name);
	const own = main === undefined ? undefined : library.get(main);
	if (own !== undefined) add(own);
	return { templates, agentSkills, unknown };
}

import type { Embedder } from "../../src/embedding/embedder.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";

/** Skills by their names and descriptions, or by their whole front matter below the name. */
export function skillsOf(skills: Readonly<Record<string, string | { readonly frontMatter: string }>>): Promise<AgentSkill[]> {
	return Promise.all(
		Object.entries(skills).map(async ([name, given]) => {
			const rest = typeof given === "string" ? `description: ${JSON.stringify(given)}` : given.frontMatter;
			await using bundle = await temporarySkill({ "SKILL.md": `---\nname: ${name}\n${rest}\n---\n` });
			return AgentSkill.load(bundle.skillMdPath);
		}),
	);
}

/** Many skills that are nothing but a name and a description: loading as many bundles takes long. */
export const bareSkills = (count: number): AgentSkill[] =>
	Array.from({ length: count }, (_, index) => ({ name: `s${index}`, description: `does ${index}`, metadata: {} }) as unknown as AgentSkill);

/** Looks every text up and remembers what it was asked; what it does not know is a vector of zeros. */
export const tableEmbedder = (
	table: Readonly<Record<string, readonly number[]>>,
	rest: Partial<Embedder> = {},
): Embedder & { texts: string[] } => {
	const texts: string[] = [];
	return {
		id: "table",
		texts,
		embed: async (asked) => {
			texts.push(...asked);
			return asked.map((text) => table[text] ?? [0, 0]);
		},
		...rest,
	};
};

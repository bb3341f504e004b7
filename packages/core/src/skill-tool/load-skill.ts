import type { AgentSkill } from "../skill/agent-skill.js";
import { shorten } from "../text/shorten.js";
import { createTool } from "../tool/create-tool.js";
import type { Tool } from "../tool/tool.js";
import { listedFiles } from "./listed-files.js";
import { skillContent } from "./skill-content.js";

export const LOAD_SKILL = "load_skill";

const MAX_DESCRIPTION = 300;

/** What skills a model may load, and what comes of it. */
export interface LoadSkillOptions {
	/** Those that are offered, the likeliest first. At least one. */
	readonly offered: readonly AgentSkill[];
	/** Called once for each skill that is loaded; gives the names of the tools that came with it. */
	readonly onLoad: (skill: AgentSkill) => Promise<readonly string[]>;
}

/** A tool by which a model takes the instructions and the scripts of a skill that was offered to it. Its description says what each is for. */
export function loadSkillTool({ offered, onLoad }: LoadSkillOptions): Tool {
	const byName = new Map(offered.map((skill) => [skill.name, skill]));
	const loading = new Map<AgentSkill, Promise<string>>();
	return createTool<{ readonly name: string }>({
		name: LOAD_SKILL,
		description: `Loads a skill: its instructions and its tools. Do so before you answer when one fits what is asked; they may fit:\n${offered.map(entry).join("\n")}`,
		parameters: {
			type: "object",
			properties: { name: { type: "string", enum: [...byName.keys()] } },
			required: ["name"],
			additionalProperties: false,
		},
		execute: async ({ name }) => {
			const skill = byName.get(name) as AgentSkill;
			const earlier = loading.get(skill);
			if (earlier !== undefined) {
				await earlier;
				return `The skill ${JSON.stringify(name)} is loaded already; its instructions are above.`;
			}
			const load = loadSkill(skill, onLoad);
			loading.set(skill, load);
			// what failed may be tried again
			load.catch(() => loading.delete(skill));
			return load;
		},
	});
}

const entry = ({ name, description }: AgentSkill): string => `- ${name}: ${shorten(description.replaceAll(/\s+/g, " "), MAX_DESCRIPTION)}`;

async function loadSkill(skill: AgentSkill, onLoad: LoadSkillOptions["onLoad"]): Promise<string> {
	const [files, tools] = await Promise.all([listedFiles(skill), onLoad(skill)]);
	return skillContent(skill, { files, tools });
}

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentSkill, AgentSkillCatalog } from "@robot-lab/core";
import type { LabelledSkill } from "./labelled-messages.js";

/** The labelled skills as a catalog loads them from their bundles, with their example messages or without. */
export async function loadedSkills(skills: readonly LabelledSkill[], withExamples: boolean): Promise<readonly AgentSkill[]> {
	const root = await mkdtemp(join(tmpdir(), "robot-lab-match-quality-"));
	try {
		for (const skill of skills) {
			const directory = join(root, skill.name);
			await mkdir(directory);
			await writeFile(join(directory, "SKILL.md"), skillFile(skill, withExamples));
		}
		return await new AgentSkillCatalog(root).all();
	} finally {
		await rm(root, { recursive: true, force: true });
	}
}

function skillFile({ name, description, headings, examples }: LabelledSkill, withExamples: boolean): string {
	const metadata = withExamples ? ["metadata:", "  examples: |", ...examples.map((example) => `    ${example}`)] : [];
	const front = [`name: ${name}`, `description: ${JSON.stringify(description)}`, ...metadata];
	return `---\n${front.join("\n")}\n---\n\n${headings.map((heading) => `## ${heading}\n\n`).join("")}`;
}

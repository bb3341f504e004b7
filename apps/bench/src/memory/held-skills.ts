import { AgentSkillCatalog } from "@robot-lab/core";
import { makeBundles } from "../benchmarks/skill-bundles.js";

/** Loads so many bundles with all that is wrong with them, and looks while the catalog is held. Gives as much text as their instructions have. */
export async function holdSkills(count: number, look: () => void): Promise<string> {
	const bundles = makeBundles(count);
	try {
		const catalog = new AgentSkillCatalog(bundles.root);
		await catalog.diagnostics();
		look();
		const held = await catalog.all();
		if (held.length !== count) throw new Error(`${held.length} of ${count} bundles were loaded`);
		return "x".repeat(bundles.bodyLength);
	} finally {
		bundles.dispose();
	}
}

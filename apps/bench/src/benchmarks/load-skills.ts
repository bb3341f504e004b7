import { readFile } from "node:fs/promises";
import { AgentSkillCatalog } from "@robot-lab/core";
import type { Benchmark } from "../benchmark.js";
import { makeBundles, type SkillBundles } from "./skill-bundles.js";

const BUNDLES = 10_000;
const AT_ONCE = 32;
const BASELINE = `readFile alone, ${AT_ONCE} at once`;

/** What it costs to know the skills of a large collection, here and elsewhere. */
export const loadSkillsPeers: Benchmark = {
	name: "load-skills",
	question: `${BUNDLES.toLocaleString("en")} bundles from disk, with all that is wrong with them, beside loaders of others`,
	rounds: 5,
	baseline: BASELINE,
	prepare: async () => {
		const peers = await loadPeers();
		const bundles = makeBundles(BUNDLES);
		return { cases: casesOf(bundles, peers), dispose: bundles.dispose };
	},
};

type Peers = Awaited<ReturnType<typeof loadPeers>>;

/** They take seconds to load and stay in memory: only when they are measured. */
async function loadPeers() {
	const { loadSkillsFromDir } = await import("@earendil-works/pi-coding-agent");
	const { Workspace } = await import("@mastra/core/workspace");
	const { loadSkills } = await import("@modelcontextprotocol/server/ext/skills/node");
	const { listSkills } = await import("deepagents");
	const { default: matter } = await import("gray-matter");
	return { loadSkillsFromDir, Workspace, loadSkills, listSkills, matter };
}

function casesOf({ root, files }: SkillBundles, peers: Peers): Record<string, () => Promise<void>> {
	const { loadSkillsFromDir, Workspace, loadSkills, listSkills, matter } = peers;
	const ways: Record<string, () => Promise<number>> = {
		[BASELINE]: async () => (await readAll(files, (text) => text.length)).length,
		"AgentSkillCatalog, with diagnostics": async () => {
			const catalog = new AgentSkillCatalog(root);
			const [skills] = [await catalog.all(), await catalog.diagnostics()];
			return skills.length;
		},
		// with options, since without them it hands out what it read before
		"readFile and gray-matter": async () => (await readAll(files, (text) => matter(text, {}).data)).length,
		"@modelcontextprotocol/server, loadSkills": async () => (await loadSkills(root, { onWarning: () => {} })).entries.length,
		"pi-coding-agent, loadSkillsFromDir": async () => loadSkillsFromDir({ dir: root, source: "bench" }).skills.length,
		"deepagents, listSkills": async () => quietly(() => listSkills({ projectSkillsDir: root }).length),
		"Mastra, workspace.skills.list": async () => (await new Workspace({ skills: [root] }).skills?.list())?.length ?? 0,
	};
	return Object.fromEntries(Object.entries(ways).map(([name, load]) => [name, () => counted(name, load)]));
}

/** Whoever finds nothing is fast, and worth nothing. The strict leave out a bundle whose name is not that of its directory. */
async function counted(name: string, load: () => Promise<number>): Promise<void> {
	const count = await load();
	if (count < BUNDLES * 0.9) throw new Error(`${name} found ${count} of ${BUNDLES} bundles`);
}

/** It prints what others return. */
function quietly(load: () => number): number {
	const { warn } = console;
	console.warn = () => {};
	try {
		return load();
	} finally {
		console.warn = warn;
	}
}

async function readAll<T>(files: readonly string[], look: (text: string) => T): Promise<readonly T[]> {
	const looks: T[] = [];
	const remaining = files.values();
	const work = async (): Promise<void> => {
		for (const file of remaining) looks.push(look(await readFile(file, "utf8")));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return looks;
}

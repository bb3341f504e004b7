import { parseArgs } from "node:util";
import { AgentSkillCatalog } from "@robot-lab/core";
import { sizeOutcomes } from "./catalogue-sizes.js";
import { HALVES, labelledMessages, labelledSkills } from "./labelled-messages.js";
import { differenceTable, orderTable, type Scored, sizeTable, tierTable } from "./report.js";
import { embedders, matcherScorers, wordSearch } from "./scorers.js";
import { loadedSkills } from "./skill-bundles.js";
import { thresholdTables } from "./thresholds.js";

const USAGE = `Usage: node apps/bench/dist/matching/main.js [--half dev|test] [FOLDER …]
       node apps/bench/dist/matching/main.js --thresholds

Says how well each embedder finds the skills that messages are labelled with (apps/bench/data/matching), as tables of Markdown. Skills in
the folders, each a collection that was checked out, stand beside them in larger catalogues. --thresholds: what other thresholds would give,
on dev.json, the half that constants are chosen on. Downloads nothing and asks no model of a provider.`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		half: { type: "string", multiple: true },
		thresholds: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

process.exitCode = await main();

async function main(): Promise<number> {
	const halves = HALVES.filter((half) => values.half === undefined || values.half.includes(half));
	if (values.help || halves.length !== (values.half?.length ?? HALVES.length)) {
		console.error(USAGE);
		return values.help ? 0 : 2;
	}
	const labelled = await labelledSkills();
	const catalogues = [
		{ name: "", skills: await loadedSkills(labelled, false) },
		{ name: ", with examples", skills: await loadedSkills(labelled, true) },
	];
	if (values.thresholds) {
		const messages = await labelledMessages("dev");
		for (const { name, embedder } of embedders) {
			for (const { name: ending, skills } of catalogues) console.log(await thresholdTables(`${name}${ending}`, embedder, messages, skills));
		}
		return 0;
	}
	const strangers = positionals.length === 0 ? [] : await new AgentSkillCatalog(positionals).all();
	for (const half of halves) {
		const messages = await labelledMessages(half);
		const scored: Scored[] = [];
		for (const { name: ending, skills } of catalogues) {
			for (const { name, outcomes } of [wordSearch, ...matcherScorers]) {
				scored.push({ scorer: `${name}${ending}`, outcomes: await outcomes(messages, skills) });
			}
		}
		const calibrated = scored.filter(({ scorer }) => !scorer.startsWith(wordSearch.name));
		console.log(`${half}.json, ${messages.length} messages\n`);
		console.log([orderTable(scored), tierTable(calibrated), differenceTable(pairsOf(scored))].join("\n"));
		for (const scorer of matcherScorers) {
			console.log(sizeTable(scorer.name, await sizeOutcomes(scorer, messages, catalogues[0]?.skills ?? [], strangers)));
		}
	}
	return 0;
}

/** The embedders against the lexical one, then each against itself without examples. */
function pairsOf(scored: readonly Scored[]): readonly (readonly [Scored, Scored])[] {
	const named = (name: string): readonly Scored[] => scored.filter(({ scorer }) => scorer === name);
	const pairs = [
		["lexical", "light"],
		["lexical", "hybrid"],
		["lexical, with examples", "hybrid, with examples"],
		...matcherScorers.map(({ name }) => [name, `${name}, with examples`] as const),
	] as const;
	return pairs.flatMap(([one, other]) => named(one).flatMap((first) => named(other).map((second) => [first, second] as const)));
}

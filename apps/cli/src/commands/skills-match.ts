import { config, type Embedder, EmbeddingCache, lexicalEmbedder, loadEmbedder, namedSkills, SkillMatcher } from "@robot-lab/core";
import type { Command } from "commander";
import { nothingFound, openCatalog } from "../catalog.js";
import type { Context } from "../context.js";
import { userEmbeddingCache } from "../embedding-cache.js";
import { UsageError } from "../exit.js";
import { addJsonOption, addSkillsOption, type JsonOption, type SkillsOption } from "../options.js";
import { renderDiagnostics } from "../render/diagnostics.js";
import { jsonDocument } from "../render/json.js";
import { printableLine } from "../render/printable.js";
import { type MatchView, matchRecord, renderMatch } from "../render/skill-match.js";

interface MatchOptions extends SkillsOption, JsonOption {
	readonly embedder?: string;
	readonly all?: boolean;
	readonly cache?: string;
}

/** Nobody waits for an answer of a model here: what is asked is what this embedder says. */
const TIMEOUT_MS = 10 * 60_000;

export function addSkillsMatchCommand(skills: Command, context: Context): void {
	const command = skills
		.command("match")
		.argument("<message>", "what somebody would say to a robot")
		.description("which skills fit a message, how surely, and by which rule")
		.option(
			"--embedder <name>",
			"lexical (words, no synonyms), a package such as @robot-lab/embeddings-en, which comes with the command, or the absolute path of a module that exports embedder() (default: the configured one)",
		)
		.option(
			"--cache <dir>",
			"keep the vectors of the skills in this folder (default: ~/.cache/robot_lab/embeddings, for other embedders than lexical)",
		)
		.option("--all", "also those that do not fit");
	addJsonOption(addSkillsOption(command), "print one JSON document").action((message: string, options: MatchOptions) =>
		matchSkills(message, options, context),
	);
}

async function matchSkills(message: string, options: MatchOptions, { terminal }: Context): Promise<void> {
	if (message.trim() === "") throw new UsageError('The message is empty. Give one, e.g. robot-lab skills match "what failed last night?"');
	const catalog = await openCatalog(options.skills);
	const embedder = await chooseEmbedder(options.embedder);
	const [skills, diagnostics] = [await catalog.all(), await catalog.diagnostics()];
	const named = namedSkills(message, skills.map(({ name }) => name)); // biome-ignore format: one line
	const { topK, candidates } = config().skills;
	const cache = options.cache === undefined ? userEmbeddingCache(options.embedder) : new EmbeddingCache({ directory: options.cache });
	const settings = { skills, topK, candidates, cache, timeoutMs: TIMEOUT_MS };
	const answer = await new SkillMatcher({ ...settings, embedder }).matchWithReasons(named.message);
	const chosen = answer.embedder === embedder.id ? embedder : lexicalEmbedder();
	const others = options.all
		? await new SkillMatcher({ ...settings, embedder: offeringAll(chosen), candidates: skills.length }).match(named.message)
		: [];
	const view: MatchView = {
		named,
		answer,
		rules: chosen,
		others: others.filter(({ skill }) => !answer.matches.some((match) => match.skill === skill)),
		unlike: options.all
			? skills.filter((skill) => !named.names.includes(skill.name) && !others.some((match) => match.skill === skill))
			: [],
	};
	if (options.json) {
		terminal.out(jsonDocument({ ...matchRecord(view), diagnostics }));
		return;
	}
	for (const line of renderDiagnostics(diagnostics, terminal.errStyle)) terminal.err(`${line}\n`);
	if (answer.fallback !== undefined)
		terminal.err(`${printableLine(answer.fallback.message)}; ${printableLine(answer.embedder)} answered in its place.\n`);
	const lines = renderMatch(view, terminal.outStyle);
	if (lines.length > 0) terminal.out(`${lines.join("\n")}\n`);
	else terminal.err(skills.length === 0 ? `${nothingFound(catalog.roots(), diagnostics)}\n` : "No skill fits.\n");
}

async function chooseEmbedder(given: string | undefined): Promise<Embedder> {
	const name = given ?? config().skills.embedder;
	return name === undefined || name === "lexical" ? lexicalEmbedder() : loadEmbedder(name);
}

/** The same, for which nothing is too unlikely to be offered. */
function offeringAll(embedder: Embedder): Embedder {
	const { id, calibration, threshold } = embedder;
	return {
		id,
		...(threshold !== undefined && { threshold }),
		...(calibration !== undefined && { calibration: { ...calibration, offer: 0 } }),
		embed: (texts, options) => embedder.embed(texts, options),
	};
}

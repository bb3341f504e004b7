import { lexicalEmbedder } from "@robot-lab/core";
import { expect, test } from "vitest";
import { FITTING_KINDS, HALVES, labelledMessages, labelledSkills } from "../../src/matching/labelled-messages.js";
import { outcomesOf } from "../../src/matching/outcome.js";
import { loadedSkills } from "../../src/matching/skill-bundles.js";
import { wordSearchOutcomes } from "../../src/matching/word-search.js";

const skills = await labelledSkills();
const messages = (await Promise.all(HALVES.map(labelledMessages))).flat();

test("the halves share no message, and no message is an example of a skill", () => {
	const texts = [...messages.map(({ message }) => message), ...skills.flatMap(({ examples }) => examples)].map((text) =>
		text.toLowerCase(),
	);
	expect(new Set(texts).size).toBe(texts.length);
});

test("every skill has a message of each kind, and every label is a skill", () => {
	const labels = messages.flatMap(({ skill, kind }) => (skill === null ? [] : `${skill} ${kind}`));
	const wanted = skills.flatMap(({ name }) => FITTING_KINDS.map((kind) => `${name} ${kind}`));
	expect(labels.sort()).toEqual(wanted.sort());
});

test("each half has as many messages of each kind for skills, and some that fit nothing, near and far", async () => {
	for (const half of HALVES) {
		const kinds = (await labelledMessages(half)).map(({ kind }) => kind);
		const counts = [...FITTING_KINDS, "none-near", "none-far"].map((kind) => kinds.filter((one) => one === kind).length);
		expect(counts.slice(0, 4)).toEqual([22, 22, 22, 22]);
		for (const count of counts.slice(4)) expect(count).toBeGreaterThanOrEqual(8);
	}
});

test("the skills are loaded as they are written, with their examples or without", async () => {
	const [bare, whole] = [await loadedSkills(skills, false), await loadedSkills(skills, true)];
	const inOrder = [...skills].sort((one, other) => (one.name < other.name ? -1 : 1));
	expect(bare.map(({ name, description, metadata }) => ({ name, description, metadata }))).toEqual(
		inOrder.map(({ name, description }) => ({ name, description, metadata: {} })),
	);
	expect(whole.map(({ metadata }) => metadata.examples)).toEqual(inOrder.map(({ examples }) => `${examples.join("\n")}\n`));
});

test("the matcher and the search of words are asked for the same messages, in order", async () => {
	const loaded = await loadedSkills(skills, false);
	const asked = [
		{ message: "Merge, split and rotate the pages of these PDF files", skill: "pdf-merge", kind: "plain" },
		{ message: "?!", skill: null, kind: "none-far" },
	] as const;
	const { calibration, ...embedder } = lexicalEmbedder();
	if (calibration === undefined) throw new Error("the lexical embedder has a calibration");
	const [fits, nothing] = await outcomesOf(asked, loaded, { ...embedder, calibration });
	expect(fits).toMatchObject({ labelled: asked[0], active: ["pdf-merge"] });
	expect(fits?.ranked[0]).toBe("pdf-merge");
	expect(nothing).toMatchObject({ labelled: asked[1], ranked: [], confidence: 0, active: [], candidates: [], offeredCharacters: 0 });
	expect(wordSearchOutcomes(asked, loaded).map(({ ranked }) => ranked[0])).toEqual(["pdf-merge", undefined]);
});

test("what is offered is counted with its name and as much of its description as the model sees", async () => {
	const [skill] = await loadedSkills([{ name: "long", description: `merge ${"x".repeat(400)}`, headings: [], examples: [] }], false);
	if (skill === undefined) throw new Error("the skill was not loaded");
	const embedder = { ...lexicalEmbedder(), calibration: { bias: 0, score: 0, margin: 0, offer: 0 } };
	const [outcome] = await outcomesOf([{ message: "merge", skill: "long", kind: "plain" }], [skill], embedder);
	expect(outcome?.offeredCharacters).toBe("- long: \n".length + 300);
});

// Fits the constants of src/*-vectors.ts to the labelled messages of one half (dev.json): node scripts/calibrate.mjs, after a build.
// The other half (test.json) is for whoever reports how good they are, and is not read here.
import { readFileSync } from "node:fs";
import { embedder } from "../dist/index.js";

const labelled = new URL("../../../apps/bench/data/matching/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, labelled), "utf8"));
const skills = read("skills.json");
const messages = read("dev.json");
const ROUNDS = 100;
/** Keeps the constants finite where the halves can be told apart without a mistake. */
const RIDGE = 0.01;

for (const part of ["light", "hybrid"]) {
	const { id, embed } = embedder({ part });
	// as the matcher of core does
	const documents = await embed(skills.map(({ name, description }) => `${name.replaceAll(/[-_]+/g, " ")}. ${description}`));
	const ranked = (await embed(messages.map(({ message }) => message))).map((query, index) => {
		const scores = documents.map((document, at) => ({ skill: skills[at].name, score: dot(query, document) }));
		return { wanted: messages[index].skill, kind: messages[index].kind, ranks: scores.sort((left, right) => right.score - left.score) };
	});
	const samples = ranked.map(({ wanted, ranks: [first, second] }) => ({
		features: [1, first.score, first.score - second.score],
		label: first.skill === wanted ? 1 : 0,
	}));
	const [bias, score, margin] = fit(samples);
	console.log(`${id}: bias ${bias.toFixed(2)}, score ${score.toFixed(2)}, margin ${margin.toFixed(2)}`);
	report(ranked, (own, rival) => sigmoid(bias + score * own + margin * (own - rival)));
}

/** Logistic regression by Newton's method, with {@link RIDGE} on all but the bias. */
function fit(samples) {
	let weights = [0, 0, 0];
	for (let round = 0; round < ROUNDS; round += 1) {
		const gradient = weights.map((weight, at) => (at === 0 ? 0 : RIDGE * weight));
		const hessian = weights.map((_, row) => weights.map((__, column) => (row === column && row > 0 ? RIDGE : 0)));
		for (const { features, label } of samples) {
			const probability = sigmoid(features.reduce((sum, feature, at) => sum + feature * weights[at], 0));
			for (const [row, feature] of features.entries()) {
				gradient[row] += (probability - label) * feature;
				for (const [column, other] of features.entries()) hessian[row][column] += probability * (1 - probability) * feature * other;
			}
		}
		const step = solve(hessian, gradient);
		weights = weights.map((weight, at) => weight - step[at]);
	}
	return weights;
}

/** Gauss's elimination, in the order of the rows: the matrix is positive definite. */
function solve(matrix, right) {
	const rows = matrix.map((row, at) => [...row, right[at]]);
	for (const [at, pivot] of rows.entries()) {
		for (const [other, row] of rows.entries()) {
			if (other === at) continue;
			const factor = row[at] / pivot[at];
			for (const column of row.keys()) row[column] -= factor * pivot[column];
		}
	}
	return rows.map((row, at) => row[rows.length] / row[at]);
}

function report(ranked, confidence) {
	const fitting = ranked.filter(({ wanted }) => wanted);
	const recallAt = (count) => share(fitting, ({ wanted, ranks }) => ranks.slice(0, count).some(({ skill }) => skill === wanted));
	console.log(`  top 1 ${recallAt(1)}, recall at 3 ${recallAt(3)}, at 5 ${recallAt(5)}, at 8 ${recallAt(8)}`);
	for (const kind of new Set(ranked.map((one) => one.kind))) {
		const own = ranked.filter((one) => one.kind === kind);
		console.log(`    ${kind}: top 1 ${share(own, ({ wanted, ranks }) => ranks[0].skill === wanted)} of ${own.length}`);
	}
	console.log("  confidence from  right  wrong  of none | right one offered, offered of the best 8, none offered anything");
	for (const least of [0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9]) {
		const first = ({ ranks: [best, second] }) => confidence(best.score, second.score) >= least;
		const offered = ({ ranks }) => ranks.slice(0, 8).filter(({ score }, at) => confidence(score, ranks[at === 0 ? 1 : 0].score) >= least);
		const nothing = ranked.filter(({ wanted }) => !wanted);
		const cells = [
			least.toFixed(2).padStart(17),
			share(fitting, (one) => first(one) && one.ranks[0].skill === one.wanted),
			share(fitting, (one) => first(one) && one.ranks[0].skill !== one.wanted),
			share(nothing, first),
			"|",
			share(fitting, (one) => offered(one).some(({ skill }) => skill === one.wanted)),
			(fitting.reduce((sum, one) => sum + offered(one).length, 0) / fitting.length).toFixed(1),
			share(nothing, (one) => offered(one).length > 0),
		];
		console.log(cells.join("  "));
	}
}

function share(list, isOne) {
	return `${((100 * list.filter(isOne).length) / list.length).toFixed(1)} %`;
}

function dot(left, right) {
	return left.reduce((sum, value, at) => sum + value * right[at], 0);
}

function sigmoid(value) {
	return 1 / (1 + Math.exp(-value));
}

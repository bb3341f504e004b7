// Fits the constants of src/*-vectors.ts to the labelled messages of one half (dev.json): node scripts/calibrate.mjs, after a build.
// The thresholds are chosen by a person: node apps/bench/dist/matching/main.js --thresholds. The other half (test.json) is not read here.
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
	const samples = (await embed(messages.map(({ message }) => message))).map((query, index) => {
		const scores = documents.map((document, at) => ({ skill: skills[at].name, score: dot(query, document) }));
		const [first, second] = scores.sort((left, right) => right.score - left.score);
		return { features: [1, first.score, first.score - second.score], label: first.skill === messages[index].skill ? 1 : 0 };
	});
	const [bias, score, margin] = fit(samples);
	console.log(`${id}: bias ${bias.toFixed(2)}, score ${score.toFixed(2)}, margin ${margin.toFixed(2)}`);
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

function dot(left, right) {
	return left.reduce((sum, value, at) => sum + value * right[at], 0);
}

function sigmoid(value) {
	return 1 / (1 + Math.exp(-value));
}

import { type Embedder, lexicalEmbedder, Robot, SkillMatcher, type StreamOptions } from "@robot-lab/core";
import { bareLoop, type cannedModel } from "../benchmarks/canned-model.js";
import { manySkills, readyEmbedder } from "../benchmarks/many-skills.js";
import { DONE, ownNetwork } from "../benchmarks/own-network.js";
import { times } from "../benchmarks/repeated-runs.js";
import { layered } from "../benchmarks/task-graphs.js";
import { holdSkills } from "./held-skills.js";
import { watchedModel } from "./watched-model.js";

type Model = ReturnType<typeof cannedModel>;

/** Something that is done in sizes. What it holds must not depend on them, but for what is there to be kept, such as vectors of skills. */
export interface MemoryCase {
	/** What the sizes count. */
	readonly unit: string;
	readonly sizes: readonly number[];
	/** Does it, and calls `look` many times on the way. Gives the text that came of it. */
	readonly run: (size: number, look: () => void) => Promise<string>;
}

/** The ways in which a run may be watched. */
const ways: Readonly<Record<string, (model: Model) => Promise<string>>> = {
	"bare doStream loop": (model) => bareLoop(model),
	"Robot.run, nobody listens": (model) => textOf(new Robot({ name: "bench", model }).run("go")),
	'Robot.run, on("event"), on("content") and onContent': (model) => {
		const robot = new Robot({ name: "bench", model, onContent: () => {} });
		robot.on("event", () => {});
		robot.on("content", () => {});
		return textOf(robot.run("go"));
	},
	"robot.stream(), never read": (model) => textOf(new Robot({ name: "bench", model }).stream("go").result),
	"robot.stream(), nothing kept, never read": (model) => textOf(new Robot({ name: "bench", model }).stream("go", { history: 0 }).result),
	"robot.stream(), read": (model) => read(model, {}, 0),
	"robot.stream(), a slow reader": (model) => read(model, {}, 1),
	"robot.stream(), a slow reader that blocks": (model) => read(model, { overflow: "block", capacity: 1_000 }, 0.01),
};

export const memoryCases: Readonly<Record<string, MemoryCase>> = {
	...Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, ofDeltas(way)])),
	"network.run(), 1,000 tasks, with a log that is listened to": { unit: "run", sizes: [10, 100], run: runNetwork },
	"AgentSkillCatalog, its result the instructions": { unit: "bundle", sizes: [1_000, 10_000], run: holdSkills },
	"SkillMatcher, 512 dimensions, the skills included": ofSkills(() => readyEmbedder(512)),
	"SkillMatcher, lexical, the skills included": ofSkills(lexicalEmbedder),
};

function ofDeltas(way: (model: Model) => Promise<string>): MemoryCase {
	return { unit: "delta", sizes: [10_000, 100_000], run: (deltas, look) => way(watchedModel(deltas, look)) };
}

function ofSkills(embedder: () => Embedder): MemoryCase {
	const run = async (count: number, look: () => void): Promise<string> => {
		const matcher = new SkillMatcher({ skills: manySkills(count), embedder: embedder(), fallback: false });
		await matcher.match("rota lupe dasti kobi nemu");
		look();
		return "";
	};
	return { unit: "skill", sizes: [10_000, 100_000], run };
}

async function runNetwork(runs: number, look: () => void): Promise<string> {
	const run = ownNetwork(layered(10, 100, 3), async () => DONE, "log");
	await times(runs, async () => {
		await run();
		look();
	});
	return "";
}

/** @param delayMs How long the reader takes for an event, on average. */
async function read(model: Model, options: StreamOptions, delayMs: number): Promise<string> {
	const stream = new Robot({ name: "bench", model }).stream("go", options);
	let owedMs = 0;
	for await (const _ of stream) {
		owedMs += delayMs;
		if (owedMs < 1) continue;
		owedMs = 0;
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
	return textOf(stream.result);
}

const textOf = async (result: Promise<{ readonly lastTextContent: string | undefined }>): Promise<string> =>
	(await result).lastTextContent ?? "";

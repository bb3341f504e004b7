import { Robot, type StreamOptions } from "@robot-lab/core";
import { bareLoop, type cannedModel } from "../benchmarks/canned-model.js";

type Model = ReturnType<typeof cannedModel>;

/** The ways in which a run may be watched. Each gives the text that came of it. */
export const memoryCases: Readonly<Record<string, (model: Model) => Promise<string>>> = {
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

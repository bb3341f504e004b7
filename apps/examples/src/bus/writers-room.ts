// 16: a writers' room. Nobody is told in which order to work: each robot has tools to read and write on a board and to ask a colleague over the bus,
// and is asked while it asks others itself.
import assert from "node:assert/strict";
import { createTool, Memory, MessageBus, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import * as z from "zod";

await using bus = new MessageBus();
const board = new Memory<Record<"plot" | "joke" | "scene", string>>();
board.subscribe(["plot", "joke", "scene"], ({ key, value, writer }) => console.log(`on the board: ${key}, by ${writer}: ${value}`));

const Topic = z.enum(["plot", "joke", "scene"]);
const COLLEAGUES = ["plotter", "joker", "scribe"] as const;

const readBoard = createTool({
	name: "read_board",
	description: "What is on the board.",
	execute: () => Object.fromEntries(board.entries()),
});

const writeBoard = createTool({
	name: "write_board",
	description: "Writes on the board.",
	parameters: z.object({ topic: Topic, text: z.string() }),
	execute: ({ topic, text }, { robotName = "somebody" }) => {
		board.as(robotName).set(topic, text);
		return "It is on the board.";
	},
});

/** A tool by which a robot asks another and waits for the answer. */
const askAs = (self: () => Robot) =>
	createTool({
		name: "ask",
		description: "Asks a colleague, and waits for the answer.",
		parameters: z.object({ colleague: z.enum(COLLEAGUES), request: z.string() }),
		execute: async ({ colleague, request }, { signal }) => {
			const { name } = self();
			console.log(`${name} asks ${colleague}: ${request}`);
			const { content } = await self().ask({ to: colleague, content: request, timeoutMs: 5_000, signal });
			console.log(`${colleague} answers ${name}: ${content}`);
			return String(content);
		},
	});

function colleague(name: string, model: ScriptedModel): Robot {
	const robot: Robot = new Robot({ name, model, localTools: [readBoard, writeBoard, askAs(() => robot)], bus });
	return robot;
}

const call = (name: string, args: object = {}) => ({ toolCalls: [{ name, args }] });
const ask = (colleague: string, request: string) => call("ask", { colleague, request });
const write = (topic: string, text: string) => call("write_board", { topic, text });

// what real models would decide
const models = {
	showrunner: new ScriptedModel([ask("scribe", "Write the opening scene."), call("read_board"), "We shoot it on Monday."]),
	scribe: new ScriptedModel([
		ask("plotter", "What happens in the opening?"),
		ask("joker", "A line for a kettle that is late."),
		call("read_board"),
		write("scene", "A kettle bursts in: 'Sorry, I was steaming.' The train has left."),
		"The scene is on the board.",
	]),
	plotter: new ScriptedModel([write("plot", "A kettle misses its train."), "A kettle misses its train.", "No, it is ashamed."]),
	// asks the plotter, while the scribe waits for it
	joker: new ScriptedModel([ask("plotter", "Is the kettle angry?"), write("joke", "Sorry, I was steaming."), "Sorry, I was steaming."]),
};
const showrunner = colleague("showrunner", models.showrunner);
const colleagues = COLLEAGUES.map((name) => colleague(name, models[name]));
for (const robot of colleagues) robot.serve(); // each message is answered by a run

const result = await showrunner.run("Make an episode about a kettle.");
await bus.idle();
console.log(`showrunner: ${result.lastTextContent}`);

const [, read] = result.toolCalls;
assert.deepEqual(JSON.parse(read?.content ?? ""), Object.fromEntries(board.entries()));
assert.deepEqual([...board.keys()].sort(), ["joke", "plot", "scene"]);
assert.ok(result.toolCalls.every(({ isError }) => !isError));
// every question has its answer, and nothing was lost
const asked = [showrunner, ...colleagues]
	.flatMap(({ outbox }) => outbox)
	.map(({ message, status }) => `${message.from} > ${message.to}: ${status}`);
console.log(asked.join(", "));
assert.deepEqual([asked.length, asked.every((line) => line.endsWith(": replied"))], [4, true]);
assert.equal(bus.deadLetters.size, 0);

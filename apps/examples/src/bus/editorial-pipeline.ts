// 15: an article from first words to a file. The writers are a network, editor and chief are on the bus, the sections are in a memory that all of
// them share, and one log has everything.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BusProjection, createTool, EventLog, Memory, MessageBus, Network, Robot, type RobotResult, type TaskFlow } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import * as z from "zod";
import { questions } from "../networks/asked.js";

const directory = await mkdtemp(join(tmpdir(), "editorial-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

const SECTIONS = ["water", "leaves"] as const;
const Review = z.object({ approved: z.boolean(), section: z.enum(SECTIONS).optional(), note: z.string() });

const log = new EventLog();
const drawing = new BusProjection();
log.subscribe((event) => drawing.observe(event));
await using bus = new MessageBus({ log });
const memory = new Memory();
memory.subscribePattern("section:*", ({ key, kind, writer }) => console.log(`${kind} ${key}, by ${writer}`));
const article = (): string => ["opening", ...SECTIONS].map((section) => memory.get(`section:${section}`)).join("\n\n");

/** A chief may print, and nobody else. */
const publish = createTool({
	name: "publish",
	description: "Prints the article below a headline.",
	parameters: z.object({ headline: z.string() }),
	execute: async ({ headline }) => {
		await writeFile(join(directory, "article.md"), `# ${headline}\n\n${article()}\n`);
		await writeFile(join(directory, "memory.json"), JSON.stringify(memory, undefined, "\t"));
		return "printed";
	},
});

const models = {
	water: new ScriptedModel("Fresh water boils for a minute."),
	leaves: new ScriptedModel(["Leaves are very, very important.", "A spoonful of leaves makes a cup."]),
	opening: new ScriptedModel("Tea is water and patience."),
	editor: new ScriptedModel([
		'{"approved":false,"section":"leaves","note":"Say how many."}',
		'{"approved":true,"note":"Both sections say something now."}',
	]),
	chief: new ScriptedModel([{ toolCalls: [{ name: "publish", args: { headline: "How to brew tea" } }] }, "Printed."]),
};
const writer = (name: keyof typeof models): Robot => new Robot({ name, model: models[name], bus });
const writers = { water: writer("water"), leaves: writer("leaves"), opening: writer("opening") };
const editor = new Robot({ name: "editor", model: models.editor, schema: Review, bus });
const chief = new Robot({ name: "chief", model: models.chief, localTools: [publish], bus });

// The first draft: two sections side by side, and an opening for both.
const network = new Network({ name: "draft", memory })
	.parallel("sections", {}, (group) => group.task("water", writers.water, { next: keep }).task("leaves", writers.leaves, { next: keep }))
	.task("opening", writers.opening, { dependsOn: ["sections"], next: keep });

function keep({ lastTextContent }: RobotResult, flow: TaskFlow): void {
	flow.memory.set(`section:${flow.task}`, lastTextContent);
}

// Afterwards writers are asked by message.
for (const [name, robot] of Object.entries(writers)) {
	robot.respondToTasks(async ({ content }, { run }) => {
		const { lastTextContent } = await robot.run(String(content), { parent: run });
		memory.as(name).set(`section:${name}`, lastTextContent);
		return "mended";
	});
}

// The editor asks writers until it is content, then the chief. It waits for an answer while it still handles a message itself.
editor.respondToTasks(async (_, { run }) => {
	for (let round = 1; round <= 3; round++) {
		const { data } = await editor.run(`Review:\n${article()}`, { parent: run });
		const { approved, section, note } = Review.parse(data);
		console.log(`editor, round ${round}: ${note}`);
		if (approved) break;
		if (section) await editor.ask({ to: section, content: note, timeoutMs: 5_000 });
	}
	return (await editor.ask({ to: "chief", content: "Ready.", timeoutMs: 5_000 })).content;
});
chief.serve();

const { status } = await network.run({ message: "An article about brewing tea.", ...(bus.run && { parent: bus.run }) });
const answer = await bus.join("desk").ask({ to: "editor", content: "The draft is there.", timeoutMs: 10_000 });
console.log(`desk hears: ${answer.content}\n`);

const files = (await readdir(directory)).sort();
const printed = await readFile(join(directory, "article.md"), "utf8");
console.log(`${files.join(", ")}\n\n${printed}`);
console.log(drawing.toMermaid()); // from the log alone

assert.equal(status, "done");
assert.deepEqual(files, ["article.md", "memory.json"]);
assert.ok(printed.includes("A spoonful of leaves") && !printed.includes("very, very"));
assert.equal(
	Memory.fromJSON(await readFile(join(directory, "memory.json"), "utf8")).get("section:water"),
	"Fresh water boils for a minute.",
);
assert.ok(questions(models.editor)[1]?.includes("A spoonful of leaves"));
assert.equal(bus.deadLetters.size, 0);

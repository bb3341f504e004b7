// 26: answers out of one's own documents. A handbook is cut at its headings and kept in a store; a robot looks up what it needs.
import { createTool, DocumentStore, type NewDocument, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { HANDBOOK } from "./handbook.js";

/** Each section is a document of its own: a match then is what the model has to read, and not the pages around it. */
const sectionsOf = (page: string): readonly NewDocument[] =>
	page.split(/^(?=# )/m).map((section, index) => {
		const [heading = "", ...lines] = section.split("\n");
		return {
			key: heading.slice("# ".length),
			text: section.trim(),
			metadata: { section: index + 1, words: lines.join(" ").split(/\s+/).length },
		};
	});

const handbook = new DocumentStore();
await handbook.setAll(sectionsOf(HANDBOOK)); // one call of the embedder
console.log(`${handbook.size} sections: ${handbook.keys().join(", ")}`);

console.log("\nFound by words");
for (const query of ["May I return a tea that I have opened?", "How hot is water for green tea?", "parcels abroad", "espresso machines"]) {
	console.log(`  ${query}`);
	const matches = await handbook.search(query, { limit: 2, minScore: 0.1 });
	for (const { key, score, metadata } of matches) console.log(`    ${score.toFixed(2)} ${key}, section ${metadata.section}`);
	if (matches.length === 0) console.log("    nothing");
}

// Retrieval as a tool: the robot asks for what it needs, in its own words.
const lookUp = createTool<{ question: string }>({
	name: "look_up",
	description: "Looks up what the shop's handbook says.",
	parameters: { type: "object", properties: { question: { type: "string" } }, required: ["question"], additionalProperties: false },
	execute: async ({ question }, { signal }) => {
		const found = await handbook.search(question, { limit: 2, minScore: 0.1, ...(signal && { signal }) });
		return found.length === 0 ? "The handbook says nothing about it." : found.map(({ text }) => text).join("\n\n");
	},
});

// Answers from a list, so that nobody needs a key. In its place: "anthropic/claude-sonnet-4-5".
const model = new ScriptedModel([
	{
		toolCalls: [
			{ name: "look_up", args: { question: "When is it open on Sundays?" } },
			{ name: "look_up", args: { question: "espresso" } },
		],
	},
	"On Sundays from ten to one. Of espresso the handbook says nothing.",
]);
const robot = new Robot({ name: "clerk", model, systemPrompt: "Answer from the handbook alone.", localTools: [lookUp] });
const answer = await robot.run("When are you open on Sunday, and do you have espresso?");

console.log("\nA robot looks it up");
for (const { tool, content } of answer.toolCalls) console.log(`  ${JSON.stringify(tool.args)}: ${content.replaceAll(/\s+/g, " ")}`);
console.log(`  ${answer.lastTextContent}`);

console.log("\nWhat changes");
await handbook.set("Notice", "On the first of August the shop is closed.", { until: "2027-08-02" });
const closed = await handbook.search("Is it closed in August?", { limit: 1 });
console.log(`  ${closed[0]?.text} (until ${closed[0]?.metadata.until})`);
handbook.delete("Notice");
console.log(`  ${handbook.has("Notice") ? "still there" : "gone"}`);

console.log("\nTo JSON and back: texts and what is known of them, the vectors are made again");
const later = await DocumentStore.fromJSON(JSON.stringify(handbook));
console.log(`  ${later.size} sections, ${(await later.search("parcels abroad", { limit: 1 }))[0]?.key} first`);

// 25: finding what was said, by words; and a tool with which a robot looks it up itself.
import { createTool, Robot } from "@robot-lab/core";

const robot = new Robot({ name: "host", model: "offline" });
robot.replaceMessages([
	{ type: "text", role: "user", content: "When do I prune my apple trees?" },
	{ type: "text", role: "assistant", content: "Prune apple trees in late winter, before the buds open." },
	{ type: "text", role: "user", content: "Order three kilograms of assam from the river garden, please." },
	{ type: "tool_call", role: "assistant", tools: [{ id: "1", name: "order", args: { kilograms: 3 } }] },
	{
		type: "tool_result",
		role: "tool_result",
		tool: { id: "1", name: "order", args: { kilograms: 3 } },
		content: "order 4711: three kilograms of assam, comes on Friday",
		isError: false,
		durationMs: 12,
	},
	{ type: "text", role: "assistant", content: "Your assam comes on Friday." },
	{ type: "text", role: "user", content: "Thanks!" },
	{ type: "text", role: "assistant", content: "You are welcome." },
]);

function show(query: string, limit?: number): void {
	console.log(`"${query}"`);
	const matches = robot.searchHistory(query, limit === undefined ? {} : { limit });
	for (const { index, role, score, text } of matches) console.log(`  ${score.toFixed(2)} message ${index}, ${role}: ${text}`);
	if (matches.length === 0) console.log("  nothing");
}

show("pruning trees"); // words are compared by their stems
show("When does the assam come?"); // results of tools are searched, too
show("assam", 1);
show("espresso"); // there are no synonyms, and no guesses

// A robot with a long history may forget it and look up what it needs.
const recall = createTool<{ words: string }>({
	name: "recall",
	description: "Recalls what was said in former conversations about something.",
	parameters: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
	execute: ({ words }) => robot.searchHistory(words, { limit: 1 })[0]?.text ?? "nothing was said about that",
});
const later = new Robot({ name: "later", model: "offline", localTools: [recall] });
const { toolCalls } = await later.run('Recall what was said about "assam order"');
console.log(`${later.name} recalls ${JSON.stringify(toolCalls[0]?.tool.args)}: ${toolCalls[0]?.content}`);

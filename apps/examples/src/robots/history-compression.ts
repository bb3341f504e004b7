// 22: a history that grew too long: dropping what no longer matters, summarising what may, or having it done before each run.
import { type Message, Robot } from "@robot-lab/core";

const say = (question: string, answer: string): readonly Message[] => [
	{ type: "text", role: "user", content: question },
	{ type: "text", role: "assistant", content: answer },
];

const history: readonly Message[] = [
	...say("Which oven bakes good bread at home?", "Any oven that reaches 250 degrees with a stone."),
	...say("Which tea gardens grow assam?", "Tea gardens by the Brahmaputra river grow assam, in the wet heat."),
	...say("How hot is assam tea brewed?", "Assam tea is brewed at 95 degrees."),
	...say("How long is assam tea brewed?", "Assam tea is brewed for four minutes."),
	...say("Is assam tea brewed with milk?", "Assam tea brewed for four minutes takes milk well."),
];

function show(title: string, { messages }: Robot): void {
	console.log(`${title}: ${messages.length} messages`);
	for (const message of messages) if (message.type === "text" && message.role === "assistant") console.log(`  ${message.content}`);
}

/** A robot that has said all of that. Making a history shorter asks no model. */
function talkative(): Robot {
	const robot = new Robot({ name: "host", model: "offline" });
	robot.replaceMessages(history);
	return robot;
}

show("As it was", talkative());

// The last turns stay. Of the older ones those stay that are about the same; the others go.
const dropped = talkative();
await dropped.compressHistory({ recentTurns: 2 });
show("Dropped", dropped);

// What is a little about the same is summarised, by a model or, as here, by its first words.
const summarised = talkative();
await summarised.compressHistory({
	recentTurns: 2,
	summarize: async (text) => `Summary: ${text.split("\n").join(" ").slice(0, 40)}…`,
});
show("Summarised", summarised);

// Before a run that would fill most of the model's window (80 percent, unless told otherwise), by itself.
const careful = talkative().update({ autoCompact: { recentTurns: 1, targetTokens: 40 }, contextWindow: 100 });
await careful.run("Thank you very much indeed.");
console.log(`Compacted before the run: ${careful.messages.length} messages instead of ${history.length + 2}`);

// 19: what runs use and cost. The prices are an example: look up those of your model.
import { BudgetExceededError, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";

const model = new ScriptedModel([
	{ text: "Assam is strong.", usage: { inputTokens: 1_200, outputTokens: 400 } },
	{ text: "Sencha is mild.", usage: { inputTokens: 2_000, outputTokens: 600, cachedTokens: 1_000 } },
	{ text: "Both are tea.", usage: { inputTokens: 3_000, outputTokens: 900 } },
	{ text: "Good morning.", usage: { inputTokens: 100, outputTokens: 50 } },
]);
const robot = new Robot({
	name: "thrifty",
	model,
	pricing: { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 }, // US dollars for a million tokens
	costBudget: 0.03, // US dollars, for all runs together
});

for (const question of ["What is assam?", "What is sencha?", "Compare them."]) {
	const { inputTokens, outputTokens } = await robot.run(question);
	const { costUsd = 0 } = robot.usage; // of all runs so far
	console.log(`${question.padEnd(16)} ${inputTokens} in, ${outputTokens} out, together $${costUsd.toFixed(4)}`);
}

// The third answer went over the budget. It was paid for, so it was given; the next run is refused before it costs anything.
try {
	await robot.run("Good morning!");
} catch (error) {
	if (BudgetExceededError.isInstance(error)) console.log(`Refused: ${error.dimension} $${error.used.toFixed(4)} of $${error.limit}`);
}
console.log(`Requests: ${model.calls.length}`);

robot.resetUsage(); // a new month
console.log(`After the reset: ${(await robot.run("Good morning!")).lastTextContent}`);
console.log(JSON.stringify(robot.usage));

// 20: three limits that end a run, and the run after each. A limit is a reason to stop, not an error: nothing has to be cleared.
import { createTool, Robot, type RobotOptions } from "@robot-lab/core";
import { ScriptedModel, type ScriptedReply } from "@robot-lab/core/testing";

const check = createTool<{ parcel: number }>({
	name: "check",
	description: "Asks the carrier where a parcel is.",
	parameters: { type: "object", properties: { parcel: { type: "integer" } }, required: ["parcel"] },
	execute: ({ parcel }) => `parcel ${parcel} is on its way`,
});

/** A reply that asks for a call. */
const call = (parcel: number, usage = { inputTokens: 50, outputTokens: 10 }): ScriptedReply => ({
	toolCalls: [{ name: "check", args: { parcel } }],
	usage,
});

async function tryOut(title: string, replies: readonly ScriptedReply[], limits: Partial<RobotOptions>): Promise<void> {
	const model = new ScriptedModel([...replies, { text: "At your service.", usage: { inputTokens: 1, outputTokens: 1 } }]);
	const robot = new Robot({ name: "clerk", model, localTools: [check], ...limits });

	const { stopReason, toolCalls } = await robot.run("Where are my parcels?");
	console.log(`${title}: ended by ${stopReason}`);
	for (const { tool, content } of toolCalls) console.log(`  ${JSON.stringify(tool.args)} ${content.replaceAll(/\n+/g, "\n    ")}`);

	robot.resetUsage(); // for the budget; the other limits count in each run anew
	const next = await robot.run("Are you there?");
	console.log(`  the next run: ${next.lastTextContent} (${next.stopReason})`);
}

// A model that never stops: it may ask for two rounds of calls, the third is not made.
await tryOut("maxToolRounds", [call(1), call(2), call(3)], { maxToolRounds: 2 });

// A model that goes round in circles: after the same call three times it is warned, after three more the run ends.
await tryOut("doomLoopThreshold", [call(7), call(7), call(7), call(7), call(7), call(7)], { doomLoopThreshold: 3 });

// A model that costs too much: once the budget is used up, nothing more is asked of it.
await tryOut("tokenBudget", [call(1, { inputTokens: 900, outputTokens: 200 })], { tokenBudget: 1_000 });

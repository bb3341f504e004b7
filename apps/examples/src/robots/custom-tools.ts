// 02: tools of your own: two ways to say what they take, what becomes of mistakes, and a list to hold them together.
import { setTimeout as wait } from "node:timers/promises";
import { createTool, Robot, ToolManifest } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import * as z from "zod";

// With zod: the arguments are checked, defaults are filled in, and `execute` is typed.
const price = createTool({
	name: "price",
	description: "What an amount of tea costs, in euros.",
	parameters: z.object({ tea: z.enum(["assam", "sencha"]), grams: z.number().positive().default(100) }),
	execute: ({ tea, grams }) => ({ euros: (grams * { assam: 6, sencha: 9 }[tea]) / 100 }),
});

// With plain JSON Schema: the type of the arguments is the type argument.
const brewing = createTool<{ tea: string }>({
	name: "brewing",
	description: "How hot and how long a tea is brewed.",
	parameters: { type: "object", properties: { tea: { type: "string" } }, required: ["tea"], additionalProperties: false },
	execute: ({ tea }) => {
		if (tea === "assam") return "95 degrees, 4 minutes";
		throw new Error(`nobody has tried ${tea} yet`); // the model reads this message, and the run goes on
	},
});

// With a deadline: when it has passed, `signal` is aborted.
const delivery = createTool({
	name: "delivery",
	description: "Asks the carrier when a parcel comes.",
	timeoutMs: 50,
	execute: async (_, { signal }) => {
		await wait(60_000, undefined, { signal });
		return "tomorrow";
	},
});

const tools = new ToolManifest([price, brewing]);
tools.add(delivery);

const model = new ScriptedModel([
	{
		// the calls of one reply are made side by side
		toolCalls: [
			{ name: "price", args: { tea: "sencha" } },
			{ name: "price", args: { tea: "coffee" } },
			{ name: "brewing", args: { tea: "assam" } },
			{ name: "brewing", args: { tea: "sencha" } },
			{ name: "delivery" },
			{ name: "refund" },
		],
	},
	"100 g of sencha cost 9 euros. I could not ask the carrier.",
]);
const robot = new Robot({ name: "clerk", model, localTools: tools });
const result = await robot.run("What does sencha cost, how is it brewed, and when does it come?");

console.log(`Tools: ${tools.names.join(", ")}`);
for (const { tool, content, isError } of result.toolCalls) {
	console.log(
		`${isError ? "failed" : "worked"} ${tool.name} ${JSON.stringify(tool.args)}\n       ${content.replaceAll("\n", "\n       ")}`,
	);
}
console.log(`Answer: ${result.lastTextContent}`);

// The offline model is no language model: it calls the tool whose words fit best. That is enough to try a tool.
const offline = new Robot({ name: "tester", model: "offline", localTools: tools });
const [call] = (await offline.run('How hot and how long is it brewed, tea "assam"?')).toolCalls;
console.log(`Offline: ${call?.tool.name} says ${call?.content}`);

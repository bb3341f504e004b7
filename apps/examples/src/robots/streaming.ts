// 05: watching a run: its event log, its text as it comes, and a small view for a terminal.
import { createTool, type OutputEvent, Robot, reduceToolCalls, type StreamEvent, type ToolCalls } from "@robot-lab/core";
import { assertWholeLog, ScriptedModel } from "@robot-lab/core/testing";

const stock = createTool<{ item: string }>({
	name: "stock",
	description: "How many of an item there are.",
	parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
	execute: ({ item }, { onOutput }) => {
		onOutput?.(`counting every ${item}…\n`, "stdout"); // seen at once, and no part of the result
		return "12";
	},
});
const model = new ScriptedModel([
	{ toolCalls: [{ name: "stock", args: { item: "teapot" } }] },
	{ text: ["There are ", "twelve ", "teapots."] },
]);
const robot = new Robot({ name: "storekeeper", model, localTools: [stock] });

// The view: what is shown, one pure step for each update, one place that draws.

interface View {
	readonly calls: ToolCalls;
	readonly answer: string;
}

function next(view: View, event: OutputEvent): View {
	const { update } = event;
	if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
		return { ...view, answer: view.answer + update.content.text };
	}
	if (update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update") {
		return { ...view, calls: reduceToolCalls(view.calls, event) };
	}
	return view;
}

const draw = ({ calls, answer }: View): string =>
	`[${[...calls.values()].map(({ title, status }) => `${title} ${status}`).join(", ")}] ${answer}`;

let view: View = { calls: new Map(), answer: "" };
let shown = "";
robot.on("content", (event) => {
	view = next(view, event);
	const drawn = draw(view);
	if (drawn !== shown) console.log(`View: ${drawn}`); // a program for a terminal would clear the screen first
	shown = drawn;
});

// The log: everything that happens, in order. The run begins at once, and the loop ends with it.

const stream = robot.stream("How many teapots are there?");
const log: StreamEvent[] = [];
for await (const event of stream) log.push(event);
const { stopReason } = await stream.result;

assertWholeLog(log); // numbers without gaps, one beginning and one end of each run, nothing left open
console.log(`Log:  ${log.map(({ event }) => event).join("\n      ")}`);
console.log(`Said: ${log.map((event) => (event.event === "text.delta" ? event.data.delta : "")).join("")}`);
console.log(`Ended: ${stopReason}`);

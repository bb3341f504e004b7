// 28: which servers a message is about. Only those are started; where it cannot be told, all are: a tool too many costs less than a missing one.
import { fileURLToPath } from "node:url";
import { McpServers, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";

/** A real server, a process of its own, with one tool. */
const server = (tool: string, answer: string, description?: string) => ({
	command: process.execPath,
	args: [fileURLToPath(new URL("one-tool-server.js", import.meta.url)), tool, answer],
	...(description !== undefined && { description }),
});
const weather = server("forecast", "It rains in Bern.", "Weather forecasts for cities");
const sums = server("add", "The sum is 5.", "Adds numbers and computes sums");
const notes = server("read_notes", "Buy tea."); // says of itself nothing

async function show(why: string, servers: McpServers, message: string): Promise<void> {
	const tools = await servers.tools({ about: message });
	const idle = servers.status().filter(({ state }) => state === "idle");
	console.log(`  ${why}: "${message}"`);
	console.log(
		`    asked ${tools.map(({ server }) => server).join(", ")}; not even started ${idle.map(({ name }) => name).join(", ") || "none"}`,
	);
	await servers.disconnect();
}

console.log("By hand");
await show("one fits", new McpServers({ weather, sums }), "What is the weather in Bern?");
await show("one fits, one has no description", new McpServers({ weather, sums, notes }), "What is the sum of 2 and 3?");
await show("none fits", new McpServers({ weather, sums }), "Sing a song");
await show("none has a description", new McpServers({ notes, other: notes }), "What is the weather in Bern?");
await show("nothing is said", new McpServers({ weather, sums }), " ");

console.log("\nIn a robot, anew for each message");
const model = new ScriptedModel([
	{ toolCalls: [{ name: "forecast" }] },
	"Take an umbrella.",
	{ toolCalls: [{ name: "add" }] },
	"Five.",
	"La la la.",
]);
await using robot = new Robot({ name: "guide", model, mcp: { weather, sums, notes }, mcpDiscovery: true });
for (const message of ["What is the weather in Bern?", "Now the sum of 2 and 3", "Sing a song"]) {
	const calls = model.calls.length;
	const { toolCalls, lastTextContent } = await robot.run(message);
	console.log(`  "${message}"`);
	console.log(`    told of ${model.calls[calls]?.tools?.map(({ name }) => name).join(", ")}`);
	for (const { tool, content } of toolCalls) console.log(`    ${tool.name}: ${content}`);
	console.log(`    ${lastTextContent}`);
	console.log(`    ${robot.mcpStatus.map(({ name, state }) => `${name} ${state}`).join(", ")}`);
}

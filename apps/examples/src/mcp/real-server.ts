// 04: a server of the Model Context Protocol from npm, first by hand, then as a robot's own. Its process ends with it.
import { createRequire } from "node:module";
import { McpServers, Robot } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";

// `npm install @modelcontextprotocol/server-everything`; or { command: "npx", args: ["-y", "…"] }, which installs it when it is needed.
const entry = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
const everything = { command: process.execPath, args: [entry] };

/** Whether a server runs, or anything that it started: it has a process group of its own. */
function runs(pid: number | undefined): boolean {
	try {
		return pid !== undefined && process.kill(-pid, 0);
	} catch {
		return false;
	}
}

console.log("By hand");
const servers = new McpServers({ demo: everything });
console.log(`  before: ${servers.status()[0]?.state}`);
const tools = await servers.tools(); // starts it
const sum = tools.find(({ remoteName }) => remoteName === "get-sum");
console.log(`  ${sum?.server} has ${sum?.name}: ${await sum?.execute({ a: 2, b: 3 }, {})}`);
const page = (await servers.resources()).find(({ name }) => name === "features.md");
const [contents] = await servers.readResource("demo", page?.uri ?? "");
console.log(`  a resource: ${page?.name}, ${contents?.mimeType}, "${contents?.text?.split("\n")[0]}"`);
const { messages } = await servers.prompt("demo", "args-prompt", { city: "Bern" });
console.log(`  a prompt: ${messages[0]?.text}`);
const [demo] = servers.status();
console.log(`  ${demo?.state}, its process runs: ${runs(demo?.pid)}`);
await servers.disconnect();
console.log(`  ${servers.status()[0]?.state}, its process runs: ${runs(demo?.pid)}`);

console.log("\nAs a robot's own");
const model = new ScriptedModel([
	"Hello!",
	{
		toolCalls: [
			{ name: "get-sum", args: { a: 40, b: 2 } },
			{ name: "echo", args: { message: "tea" } },
			{ name: "get-sum", args: { a: "many" } },
		],
	},
	"Forty and two are 42.",
]);
const robot = new Robot({ name: "accountant", model, mcp: { demo: everything } });
await robot.run("Hi", { mcp: "none" });
console.log(`  a run without servers: ${robot.mcpStatus[0]?.state}`);
const answer = await robot.run("What are 40 and 2?", { tools: ["get-sum", "echo"] });
for (const { tool, content } of answer.toolCalls) console.log(`  ${tool.name} ${JSON.stringify(tool.args)}: ${content.split("\n")[0]}`);
console.log(`  ${answer.lastTextContent}`);
const [started] = robot.mcpStatus;
console.log(`  ${started?.state}, its process runs: ${runs(started?.pid)}`);
await robot.disconnect(); // `await using robot = …` does it by itself
console.log(`  ${robot.mcpStatus[0]?.state}, its process runs: ${runs(started?.pid)}`);

// A tool written in TypeScript, next to what skills bring. Failures of a tool go to the model as text; the run goes on.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createTool, Robot } from "@robot-lab/core";
import { ACCESS_LOG } from "./example-files.js";

const countStatus = createTool({
	name: "count_status",
	description: "Counts the requests of the access log that were answered with an HTTP status code",
	parameters: { type: "object", properties: { status: { type: "integer", description: "HTTP status code" } }, required: ["status"] },
	execute: async (input) => {
		const { status } = input as { readonly status: number };
		const lines = (await readFile(ACCESS_LOG, "utf8")).split("\n");
		return `${lines.filter((line) => line.includes(`" ${status} `)).length} requests with status ${status}`;
	},
});

const robot = new Robot({ name: "counter", model: "offline", localTools: [countStatus] });
const result = await robot.run("Count the requests with status code 502");

assert.deepEqual(result.toolCalls[0]?.tool.args, { status: 502 });
assert.match(result.lastTextContent ?? "", /13 requests with status 502/);
console.log(result.lastTextContent);

// A robot without a key: the skill is found by the message, its script becomes a tool, the answer is what it printed.
import assert from "node:assert/strict";
import { relative } from "node:path";
import { AgentSkillCatalog, Robot } from "@robot-lab/core";
import { ACCESS_LOG, SKILLS } from "./example-files.js";

const robot = new Robot({ name: "log reader", model: "offline", skills: new AgentSkillCatalog(SKILLS) });
const result = await robot.run(`Summarise the web server log ${relative(process.cwd(), ACCESS_LOG)}: which paths fail most?`);

assert.deepEqual(
	result.toolCalls.map(({ tool }) => tool.name),
	["log-report__summarize"],
);
assert.match(result.lastTextContent ?? "", /\/api\/checkout +148 of 282/);
console.log(result.lastTextContent);

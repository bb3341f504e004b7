// A skill's script without any model: find the skill, take its tool, read what it prints.
import assert from "node:assert/strict";
import { AgentSkillCatalog } from "@robot-lab/core";
import { ACCESS_LOG, SKILLS } from "./example-files.js";

interface Report {
	readonly bursts: readonly { readonly from: string; readonly errors: number; readonly path: string }[];
}

const skill = await new AgentSkillCatalog(SKILLS).find("log-anomalies");
const [detect] = (await skill?.scriptTools()) ?? [];
assert.ok(detect, "log-anomalies has one script, and it is a tool");

const report: Report = JSON.parse(String(await detect.execute({ args: ["--json", ACCESS_LOG] }, {})));
const [burst, ...others] = report.bursts;
assert.deepEqual(others, []);
assert.equal(burst?.errors, 148);
console.log(`${burst.errors} requests for ${burst.path} failed, from ${burst.from} on.`);

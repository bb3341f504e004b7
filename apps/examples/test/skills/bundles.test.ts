import { AgentSkillCatalog, SkillMatcher } from "@robot-lab/core";
import { expect, it } from "vitest";
import { SKILLS } from "../../src/stories/example-files.js";

const catalog = new AgentSkillCatalog(SKILLS);

it("the example skills conform to the standard: nothing is doubtful about any of them", async () => {
	expect(await catalog.diagnostics()).toEqual([]);
	expect((await catalog.all()).map(({ name }) => name)).toEqual(["log-anomalies", "log-report", "markdown-links"]);
});

it("each example skill brings one tool, asks to read the working directory and for nothing else", async () => {
	for (const skill of await catalog.all()) {
		expect(await skill.scriptTools()).toHaveLength(1);
		expect(skill.capabilities).toMatchObject({ fsRead: ["."], fsWrite: [], network: false, timeout: 30, trust: "external" });
		expect(skill.license).toBe("MIT");
	}
});

it.each([
	["Summarise the web server log access.log: which paths fail most?", "log-report"],
	["which clients send the most requests in this access log?", "log-report"],
	["was our web server attacked or scanned last night?", "log-anomalies"],
	["when did the outage of the web server begin and end?", "log-anomalies"],
	["are there broken links in the README or the docs folder?", "markdown-links"],
	["check the Markdown links before we publish", "markdown-links"],
])("%j finds %s first", async (message, name) => {
	const [best] = await new SkillMatcher({ skills: await catalog.all() }).match(message);
	expect(best?.skill.name).toBe(name);
});

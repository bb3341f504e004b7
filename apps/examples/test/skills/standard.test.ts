import { readdirSync } from "node:fs";
import { join } from "node:path";
import { validateSkill } from "@robot-lab/core";
import { expect, it } from "vitest";
import { SKILLS } from "../../src/stories/example-files.js";

const names = readdirSync(SKILLS);

it("there are example skills to hold to the standard", () => {
	expect(names).toContain("log-report");
});

it.each(names)("%s holds to the Agent Skills standard to the letter, with nothing doubtful about it or its scripts", async (name) => {
	expect(await validateSkill(join(SKILLS, name), { validation: "strict" })).toEqual([]);
});

import { chmod } from "node:fs/promises";
import { AgentSkill } from "@robot-lab/core";
import { temporarySkill } from "@robot-lab/core/testing";
import { expect, test } from "vitest";
import { requireScript } from "../src/script-choice.js";

test("a script without its bit is found by its tool's name, too, and the one sentence about it says what to do", async () => {
	await using bundle = await temporarySkill({
		"scripts/check_fields.py": "print(1)\n",
		"scripts/check.py": "print(1)\n",
		"scripts/data.json": "{}",
	});
	await chmod(bundle.file("scripts/check_fields.py"), 0o644);
	const skill = await AgentSkill.load(bundle.skillMdPath);
	const refusal = async (name: string): Promise<string> => requireScript(skill, name).then(String, ({ message }: Error) => message);
	for (const name of ["check_fields", "check_fields.py", "temporary-skill__check_fields"]) {
		expect(await refusal(name)).toMatch(
			/^check_fields\.py is not executable and is no tool\. Run: chmod \+x '.*\/check_fields\.py' and load it anew, or set scripts\.require_executable to false: [^:]*$/,
		);
	}
	expect(await refusal("data")).toBe("data.json is no tool: it is a data file");
	expect((await requireScript(skill, "check")).tool).toBe("check");
	expect(await refusal("chekc")).toMatch(/^There is no script "chekc"/);
});

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import { temporaryBundle } from "../script/bundle.js";

const lost = { text: "#!/bin/sh\necho\n", mode: 0o644 };
const SKILL_MD = "---\nname: x\ndescription: Does.\n---\n";

async function saidOf(
	scripts: Readonly<Record<string, typeof lost | string>>,
): Promise<{ bundle: string; said: readonly { path: string; message: string }[] }> {
	const files = Object.fromEntries(Object.entries(scripts).map(([name, file]) => [`scripts/${name}`, file]));
	const bundle = temporaryBundle({ "SKILL.md": SKILL_MD, ...files });
	const diagnostics = await (await AgentSkill.load(join(bundle, "SKILL.md"))).diagnostics({ needs: false });
	return { bundle, said: diagnostics.filter(({ code }) => code === "script_not_executable") };
}

it("scripts that all lost their bit are said once, with both ways out, and the command gives it to them and to no other file", async () => {
	const { bundle, said } = await saidOf({ "a.sh": lost, "-it's.sh": lost, "data.json": { text: "{}", mode: 0o644 }, "ok.sh": "echo\n" });
	expect(said.map(({ path }) => path)).toEqual([join(bundle, "scripts")]);
	const message = said[0]?.message ?? "";
	expect(message).toMatch(/^2 scripts are not executable and are no tools\. Set scripts\.require_executable to false \(.*\), or run: cd /);
	execFileSync("sh", ["-c", message.slice(message.indexOf("cd "))]);
	const skill = await AgentSkill.load(join(bundle, "SKILL.md"));
	expect((await skill.scriptTools()).map(({ name }) => name)).toEqual(["it_s", "a", "ok"]);
	expect(() => execFileSync("test", ["-x", join(bundle, "scripts/data.json")])).toThrow();
});

it("one script is named by itself, and of many twenty are", async () => {
	expect((await saidOf({ "a.sh": lost })).said[0]?.message).toMatch(/^a\.sh is not executable and is no tool\. Run: chmod \+x /);
	const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`s${index}.sh`, lost]));
	const { said } = await saidOf(many);
	expect(said).toHaveLength(1);
	expect(said[0]?.message).toMatch(/^25 scripts .* and the same for 5 more$/);
});

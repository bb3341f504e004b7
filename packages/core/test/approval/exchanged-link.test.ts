import { mkdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { createSkillLock } from "../../src/approval/skill-lock.js";
import { withApproval } from "../../src/approval/with-approval.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import type { Tool } from "../../src/tool/tool.js";
import { temporaryBundle } from "../script/bundle.js";
import { answering } from "./bundle.js";

/** Two bundles of one skill, and a link to one of them, as installers make it. */
function twoBundles(): { readonly good: string; readonly evil: string; readonly link: string } {
	const root = temporaryBundle();
	for (const [name, script] of [
		["good", '. "$SKILL_DIR/words.sh"'],
		["evil", "WORD=evil"],
	]) {
		mkdirSync(join(root, `${name}/scripts`), { recursive: true });
		writeFileSync(join(root, `${name}/SKILL.md`), "---\nname: greet\ndescription: Greets.\n---\n");
		writeFileSync(join(root, `${name}/words.sh`), `WORD=${name}\n`);
		writeFileSync(join(root, `${name}/scripts/greet.sh`), `#!/bin/sh\n# Greets.\n${script}\necho "$WORD $SKILL_DIR"\n`, { mode: 0o755 });
	}
	symlinkSync("good", join(root, "link"));
	return { good: join(root, "good"), evil: join(root, "evil"), link: join(root, "link") };
}

/** As an installer does it: the name is never without a link. */
function lead(link: string, to: string): void {
	symlinkSync(to, `${link}.new`);
	renameSync(`${link}.new`, link);
}

const called = async (tool: Tool | undefined): Promise<string> => (await tool?.call?.({ args: [] }, {}))?.text ?? "there is no tool";

describe("a skill whose path is a link", () => {
	it("runs what was approved, where it lies, when the link leads elsewhere right after the look", async () => {
		const { good, evil, link } = twoBundles();
		const { path, capabilities } = await AgentSkill.load(join(link, "SKILL.md"));
		const tools = await (await AgentSkill.load(join(link, "SKILL.md"))).scriptTools();
		// its name is asked for once the bundle has been read
		const skill = {
			path,
			capabilities,
			get name() {
				if (readlinkSync(link) === "good") lead(link, "evil");
				return "greet";
			},
		};
		const { approve, asked } = answering("once");
		const [asking] = withApproval(tools, skill, { approve });
		// asked about the one it led to, then about the other
		expect(await called(asking)).toBe(`evil ${evil}\n`);
		expect(asked.map((request) => request.path)).toEqual([good, evil]);
		lead(link, "good");
		expect(await called(asking)).toBe(`good ${good}\n`);
		expect(readlinkSync(link)).toBe("evil");
		lead(link, "good");
		const [locked] = withApproval(tools, skill, { lock: await createSkillLock([{ name: "greet", path: good }]) });
		expect(await called(locked)).toBe(`good ${good}\n`);
		expect(readlinkSync(link)).toBe("evil");
	});

	it("runs nothing that was denied while the link is led to and fro all the time", async () => {
		const { good, link } = twoBundles();
		const skill = await AgentSkill.load(join(link, "SKILL.md"));
		const [tool] = withApproval(await skill.scriptTools(), skill, {
			approve: async ({ path }) => (path === good ? "once" : "deny"),
		});
		const answers: string[] = [];
		const source = `const { renameSync, symlinkSync } = require("node:fs"); const { workerData: link } = require("node:worker_threads");
			for (let turn = 0; ; turn++) { symlinkSync(turn % 2 ? "good" : "evil", link + ".new"); renameSync(link + ".new", link); }`;
		const worker = new Worker(source, { eval: true, workerData: link });
		try {
			for (let round = 0; round < 30; round++) answers.push(await called(tool));
		} finally {
			await worker.terminate();
		}
		expect(answers.filter((answer) => answer.startsWith("evil"))).toEqual([]);
		expect(answers.filter((answer) => answer !== `good ${good}\n` && !answer.startsWith("Error (not run: not_approved)"))).toEqual([]);
		expect(answers).toContain(`good ${good}\n`);
	}, 60_000);
});

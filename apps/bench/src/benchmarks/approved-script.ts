import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AgentSkill, runTool, type Tool, withApproval } from "@robot-lab/core";
import type { Benchmark } from "../benchmark.js";

const BASELINE = "nobody is asked, 200 files";
const FILES_PER_DIRECTORY = 20;

/** What is looked at less than two seconds after it was written is read again each time. */
const SETTLING_MS = 2_500;

/** What it costs to look at a bundle before each run of its script. */
export const approvedScript: Benchmark = {
	name: "approval",
	question: "a script of a bundle that somebody approved: the bundle is looked at before each run",
	rounds: 60,
	baseline: BASELINE,
	clock: "cpu",
	prepare: async () => {
		const root = mkdtempSync(join(tmpdir(), "robot-lab-bench-approval-"));
		const cases: Record<string, () => Promise<void>> = {
			[BASELINE]: await calling(bundleOf(join(root, "unasked"), 200), false),
			"approved, 10 files": await calling(bundleOf(join(root, "small"), 10), true),
			"approved, 200 files": await calling(bundleOf(join(root, "middle"), 200), true),
			"approved, 2,000 files": await calling(bundleOf(join(root, "large"), 2_000), true),
		};
		await sleep(SETTLING_MS);
		return { cases, dispose: () => rmSync(root, { recursive: true, force: true }) };
	},
};

async function calling(bundle: string, isAsked: boolean): Promise<() => Promise<void>> {
	const skill = await AgentSkill.load(join(bundle, "SKILL.md"));
	const tools = await skill.scriptTools();
	const [tool] = isAsked ? withApproval(tools, skill, { approve: async () => "once" }) : tools;
	return async () => {
		const { text } = await runTool(tool as Tool, {});
		if (text !== "hello\n") throw new Error(`The script's output was ${JSON.stringify(text)}`);
	};
}

/** A script, and files of 100 bytes that it might read. */
function bundleOf(path: string, files: number): string {
	const write = (name: string, text: string, mode = 0o644): void => {
		mkdirSync(dirname(join(path, name)), { recursive: true });
		writeFileSync(join(path, name), text, { mode });
	};
	write("SKILL.md", "---\nname: greet\ndescription: Greets.\n---\nGreet.\n");
	write("scripts/greet.sh", "#!/bin/sh\n# Greets.\necho hello\n", 0o755);
	for (let index = 2; index < files; index++) write(`data/${Math.floor(index / FILES_PER_DIRECTORY)}/${index}.txt`, "x".repeat(100));
	return path;
}

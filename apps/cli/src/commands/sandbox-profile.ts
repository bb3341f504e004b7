import { config } from "@robot-lab/core";
import { bubblewrapOptions, Sandbox } from "@robot-lab/sandbox";
import type { Command } from "commander";
import { openCatalog, requireSkill } from "../catalog.js";
import type { Context } from "../context.js";
import { applyCeiling } from "../options.js";
import { capabilitiesRecord } from "../render/capabilities.js";
import { jsonDocument } from "../render/json.js";
import { printable } from "../render/printable.js";
import { shellWord } from "../render/shell-word.js";
import { addSandboxQuestionOptions, orUnavailable, type SandboxQuestionOptions } from "../sandbox-question.js";
import { chooseScript } from "../script-choice.js";
import { grantOf } from "../skill-view.js";

type Platform = "darwin" | "linux";

export function addSandboxProfileCommand(sandbox: Command, context: Context): void {
	const command = sandbox
		.command("profile")
		.argument("<skill>", "the skill")
		.description("what confines a skill's scripts: the profile on macOS, the arguments of bubblewrap on Linux, an option a line");
	addSandboxQuestionOptions(command, "what confines here, and darwin where nothing does").action(
		(name: string, options: SandboxQuestionOptions) => showProfile(name, options, context),
	);
}

async function showProfile(name: string, options: SandboxQuestionOptions, { terminal }: Context): Promise<void> {
	applyCeiling(options);
	const skill = await requireSkill(await openCatalog(options.skills), name);
	const script = await chooseScript(skill, options.script);
	const { declared, grant } = grantOf(skill);
	const platform = options.platform ?? platformHere();
	const spellings = [...declared.fsRead, ...declared.fsWrite];
	const protect = config().sandbox?.protect ?? true;
	const known = { skillDir: skill.path, spellings, protect, ...(script !== undefined && { command: script.command }) };
	const { text, record, notes } = await orUnavailable(() =>
		platform === "darwin" ? profileOf(new Sandbox.Seatbelt(grant, known)) : argumentsOf(new Sandbox.Bubblewrap(grant, known)),
	);
	for (const note of [...whyUnused(platform, skill.capabilities.isCore, options.sandbox), ...notes])
		terminal.err(`${terminal.errStyle.warning(printable(note))}\n`);
	terminal.out(options.json ? jsonDocument({ skill: skill.name, platform, grant: capabilitiesRecord(grant), ...record }) : `${text}\n`);
}

interface Shown {
	readonly text: string;
	readonly record: object;
	readonly notes: readonly string[];
}

function profileOf({ profile }: InstanceType<typeof Sandbox.Seatbelt>): Shown {
	return { text: printable(profile.trimEnd()), record: { profile }, notes: [] };
}

function argumentsOf(strategy: InstanceType<typeof Sandbox.Bubblewrap>): Shown {
	const { arguments: args, notes } = strategy;
	const lines = bubblewrapOptions(args).map((option) => option.map(shellWord).join(" "));
	return { text: lines.join("\n"), record: { arguments: args, notes }, notes };
}

function platformHere(): Platform {
	return process.platform === "linux" && config().sandbox?.backend === "bubblewrap" ? "linux" : "darwin";
}

/** Why this is not what runs here and now, if it is not. */
function whyUnused(platform: Platform, isCore: boolean, enabled: boolean): readonly string[] {
	const what = platform === "darwin" ? "the profile" : "the argument list";
	if (!enabled) return [`With --no-sandbox nothing is confined; this is ${what} that would be used.`];
	if (isCore) return [`This skill is trusted (trust: core) and runs unconfined; this is ${what} it would otherwise have.`];
	if (platform === "darwin" && process.platform !== "darwin") {
		return [
			`This is the profile macOS would use, with the paths of this machine. On ${process.platform} it is only text: nothing here applies it.`,
		];
	}
	if (platform === "linux" && platformHere() !== "linux") {
		return [
			`This is what bubblewrap would be told on Linux, with the paths of this machine. It is not what runs here unless that is Linux and --backend bubblewrap is given.`,
		];
	}
	return [];
}

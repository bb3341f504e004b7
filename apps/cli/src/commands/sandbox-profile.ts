import { Capabilities, type Config, config, shellQuoted } from "@robot-lab/core";
import { Sandbox, type Strategy } from "@robot-lab/sandbox";
import type { Command } from "commander";
import { openCatalog, requireSkill } from "../catalog.js";
import type { Context } from "../context.js";
import { applyCeiling } from "../options.js";
import { capabilitiesRecord } from "../render/capabilities.js";
import { jsonDocument } from "../render/json.js";
import { printable } from "../render/printable.js";
import { addSandboxQuestionOptions, orUnavailable, type SandboxQuestionOptions } from "../sandbox-question.js";
import { chooseScript } from "../script-choice.js";
import { grantOf } from "../skill-view.js";

type Platform = "darwin" | "linux";

const TEMPORARY = "The temporary directory that ends in XXXXXX here has another name in each run.";

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
	const known = { capabilities: confined(declared), skillDir: skill.path, platform, config: settingsFor(platform) };
	const { text, record, notes } = await orUnavailable(() =>
		shownOf(Sandbox.preview({ ...known, ...(script !== undefined && { command: script.command }) })),
	);
	for (const note of [TEMPORARY, ...whatIsSecret(platform), ...whyUnused(platform, skill.capabilities.isCore, options.sandbox), ...notes])
		terminal.err(`${terminal.errStyle.warning(printable(note))}\n`);
	terminal.out(options.json ? jsonDocument({ skill: skill.name, platform, grant: capabilitiesRecord(grant), ...record }) : `${text}\n`);
}

interface Shown {
	readonly text: string;
	readonly record: object;
	readonly notes: readonly string[];
}

/** What a trusted skill's scripts would have if it were not. */
function confined({ fsRead, fsWrite, network, timeout, limits }: Capabilities): Capabilities {
	return new Capabilities({ fsRead, fsWrite, network, timeout, limits });
}

/** What is asked about, whatever confines here. */
function settingsFor(platform: Platform): Config {
	const { sandbox, ...others } = config();
	const backend = platform === "darwin" ? "seatbelt" : "bubblewrap";
	return { ...others, ...(sandbox && { sandbox: { ...sandbox, backend } }) };
}

function shownOf(strategy: Strategy): Shown {
	if (strategy instanceof Sandbox.Seatbelt) {
		const { profile } = strategy;
		return { text: printable(profile.trimEnd()), record: { profile }, notes: [] };
	}
	if (!(strategy instanceof Sandbox.Bubblewrap)) throw new Error(`${strategy.name} has nothing to show`);
	const { arguments: args, options, notes } = strategy;
	return { text: options.map((option) => option.map(shellWord).join(" ")).join("\n"), record: { arguments: args, notes }, notes };
}

/** Most words need no quotes, and are easier to read without. A word that begins with `=` is a program to zsh. */
const shellWord = (word: string): string => (/^(?!=)[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word));

function platformHere(): Platform {
	return process.platform === "linux" && config().sandbox?.backend === "bubblewrap" ? "linux" : "darwin";
}

/** The arguments are what is run, values of variables included. */
function whatIsSecret(platform: Platform): readonly string[] {
	const passed = (config().sandbox?.envPass ?? []).filter((name) => process.env[name] !== undefined);
	return platform === "darwin" || passed.length === 0 ? [] : [`The values of ${passed.join(", ")} (sandbox.envPass) are in this text.`];
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

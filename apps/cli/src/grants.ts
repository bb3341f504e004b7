import {
	type AgentSkill,
	type AgentSkillCatalog,
	Capabilities,
	type ConfigOrigin,
	config,
	configSources,
	configure,
	nearestNames,
	ScriptTool,
	type SkillGrant,
} from "@robot-lab/core";
import { realPath } from "@robot-lab/core/paths";
import { type Command, InvalidArgumentError } from "commander";
import { requireSkill } from "./catalog.js";
import { UsageError } from "./exit.js";
import { grantedLines } from "./render/grant.js";
import { printableLine } from "./render/printable.js";
import type { Terminal } from "./terminal.js";

/** What a command line grants, by the names of skills; where the command is about one skill the name is empty. */
export type Grants = ReadonlyMap<string, SkillGrant>;

export interface GrantOption {
	readonly grant?: Grants;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const LIMITS = {
	memory_mb: "memoryMb",
	processes: "processes",
	file_size_mb: "fileSizeMb",
	cpu_seconds: "cpuSeconds",
	output_bytes: "outputBytes",
} as const;

const NAMES = ["fs_read", "fs_write", "network", "timeout", ...Object.keys(LIMITS).map((name) => `limits.${name}`)];

/** @param of Whether the command is about one skill, or names the skill in the value. */
export function addGrantOption(command: Command, of: "one" | "named"): Command {
	const [flag, form] = of === "one" ? ["name=value", "--grant fs_read=./docs"] : ["skill:name=value", "--grant pdf:fs_read=./docs"];
	return command.option(
		`--grant <${flag}>`,
		`give ${of === "one" ? "the skill" : "a skill"} this for once, in the place of what its SKILL.md asks for, e.g. ${form}; again for more (for good: skills.grants)`,
		(text: string, earlier: Grants | undefined) => collectGrant(text, of, earlier ?? new Map()),
	);
}

function collectGrant(text: string, of: "one" | "named", earlier: Grants): Grants {
	const found = /^(?:(?<skill>.+?):)?(?<name>[\w.]+)=(?<value>.*)$/s.exec(text)?.groups;
	const { skill = "", name = "", value = "" } = found ?? {};
	if (found === undefined || (skill === "") !== (of === "one"))
		throw new InvalidArgumentError(
			`It takes ${of === "one" ? "a name and a value, e.g. fs_read=./docs" : "a skill, a name and a value, e.g. pdf:fs_read=./docs"}.`,
		);
	return new Map([...earlier, [skill, withRight(earlier.get(skill) ?? {}, name, value)]]);
}

function withRight(grant: SkillGrant, name: string, value: string): SkillGrant {
	const more: Writable<SkillGrant> = { ...grant };
	const limit = Object.entries(LIMITS).find(([key]) => name === `limits.${key}`)?.[1];
	if (limit !== undefined) more.limits = { ...grant.limits, [limit]: wholeNumber(name, value) };
	else if (name === "fs_read") more.fsRead = [...(grant.fsRead ?? []), path(name, value)];
	else if (name === "fs_write") more.fsWrite = [...(grant.fsWrite ?? []), path(name, value)];
	else if (name === "timeout") more.timeout = wholeNumber(name, value);
	else if (name === "network") more.network = flag(value);
	else {
		const [near] = nearestNames(name, NAMES, 1);
		throw new InvalidArgumentError(
			`There is nothing called ${name} to grant.${near === undefined ? "" : ` Did you mean ${near}?`} There are ${NAMES.join(", ")}.`,
		);
	}
	return more;
}

function path(name: string, value: string): string {
	if (value === "" || value.includes("\0")) throw new InvalidArgumentError(`${name} takes a path, e.g. ${name}=./docs.`);
	return value;
}

function flag(value: string): boolean {
	if (value !== "true" && value !== "false") throw new InvalidArgumentError("network takes true or false.");
	return value === "true";
}

function wholeNumber(name: string, value: string): number {
	if (!/^[1-9]\d{0,15}$/.test(value)) throw new InvalidArgumentError(`${name} takes a whole number of 1 or more.`);
	return Number(value);
}

/** Which bundles the command line granted something, and where it is written what others are granted. */
export interface CommandLineGrants {
	/** Absolute and real. */
	readonly directories: ReadonlySet<string>;
	readonly others: ConfigOrigin | undefined;
}

/** The skill with what the command line grants it, which is said. */
export async function grantedSkill(
	catalog: AgentSkillCatalog,
	name: string,
	options: GrantOptions,
	terminal: Terminal,
): Promise<{ readonly skill: AgentSkill; readonly granted: CommandLineGrants | undefined }> {
	const one = options.grant?.get("");
	const granted = await grantSkills(catalog, { ...options, ...(one && { grant: new Map([[name, one]]) }) }, terminal);
	return { skill: await requireSkill(catalog, name), granted };
}

type GrantOptions = GrantOption & { readonly sandbox: boolean };

/** Grants what the command line says, and says so. The ceiling bounds it as everything; what that keeps back is said, too. */
export async function grantSkills(
	catalog: AgentSkillCatalog,
	{ grant: grants, sandbox }: GrantOptions,
	terminal: Terminal,
): Promise<CommandLineGrants | undefined> {
	if (grants === undefined) return undefined;
	if (!sandbox)
		throw new UsageError(
			"--grant says how far a confined script may go, and --no-sandbox that nothing confines it. Leave one of them out.",
		);
	const named = new Map<string, SkillGrant>();
	for (const [name, grant] of grants) named.set(realPath((await requireSkill(catalog, name)).path), grant);
	const others = Object.entries(config().skills.grants).filter(([directory]) => !named.has(realOr(directory)));
	// from now on all of them are from configure()
	const origin = grantsOrigin();
	configure({ skills: { grants: Object.fromEntries([...named, ...others]) } });
	catalog.reload();
	for (const name of grants.keys()) tellGrant(await requireSkill(catalog, name), terminal);
	return { directories: new Set(named.keys()), others: origin };
}

function tellGrant({ name, capabilities: asked }: AgentSkill, { err, errStyle }: Terminal): void {
	const granted = {
		skill: printableLine(name, 80),
		asked,
		grant: asked.intersect(Capabilities.ceiling()),
		isConfined: ScriptTool.executor?.confines?.(asked) === true,
		platform: process.platform,
	};
	for (const line of grantedLines(granted, errStyle)) err(`${line}\n`);
}

/** Where `skills.grants` is written. */
export const grantsOrigin = (): ConfigOrigin | undefined => configSources().settings.find(({ name }) => name === "skills.grants")?.origin;

/** The real path of a bundle; the path itself where nothing lies there any more. */
export function realOr(directory: string): string {
	try {
		return realPath(directory);
	} catch {
		return directory;
	}
}

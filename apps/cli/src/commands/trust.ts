import { existsSync } from "node:fs";
import { join } from "node:path";
import { configSources, isProjectTrusted, revokeTrust, trustedProjects, trustProject } from "@robot-lab/core";
import type { Command } from "commander";
import type { Context } from "../context.js";
import { EXIT, UsageError } from "../exit.js";
import { addJsonOption, type JsonOption } from "../options.js";
import { originText } from "../render/config.js";
import { jsonDocument } from "../render/json.js";
import { printableLine } from "../render/printable.js";

interface TrustOptions extends JsonOption {
	readonly list?: boolean;
	readonly revoke?: boolean;
}

/** What counts of a trusted project, as far as it is there. */
const COUNTING = ["config/robot_lab.yml", ".agents/skills", ".claude/skills"] as const;

export function addTrustCommand(program: Command, context: Context): void {
	const command = program
		.command("trust")
		.argument("[dir]", "the project's own directory (default: the working directory)")
		.description("trust a project: all of its configuration file counts, and with --discover its skills are found")
		.option("--revoke", "trust it no longer")
		.option("--list", "the projects that are trusted");
	addJsonOption(command, "print the list as one JSON document").action((directory: string | undefined, options: TrustOptions) =>
		trust(directory, options, context),
	);
}

function trust(directory: string | undefined, options: TrustOptions, context: Context): void {
	if (options.list === true) {
		if (directory !== undefined || options.revoke === true) throw new UsageError("--list takes neither a directory nor --revoke.");
		list(options, context);
		return;
	}
	if (options.json === true) throw new UsageError("--json goes with --list.");
	if (options.revoke === true) revoke(directory ?? ".", context);
	else record(directory ?? ".", context);
}

function record(directory: string, { terminal }: Context): void {
	const project = trustProject(directory);
	const there = COUNTING.filter((name) => existsSync(join(project, name)));
	terminal.out(`Trusted: ${printableLine(project)}\n`);
	if (there.length > 0) terminal.out(`What counts of it from now on: ${there.join(", ")}.\n`);
	if (configSources().environment === "test") terminal.err("In the environment test this does not count.\n");
}

function revoke(directory: string, { terminal, exitWith }: Context): void {
	const isRecorded = revokeTrust(directory);
	const isStill = isProjectTrusted(directory);
	if (isRecorded && !isStill) terminal.out("Not trusted any more.\n");
	else exitWith(EXIT.failed);
	if (isStill) {
		const setting = configSources().settings.find(({ name }) => name === "trusted_projects");
		terminal.err(
			`It is still trusted: trusted_projects names it, in ${originText(setting?.origin ?? { layer: "default" })}. Take it out there.\n`,
		);
	} else if (!isRecorded) terminal.err("It was not recorded as trusted.\n");
}

function list({ json }: TrustOptions, { terminal }: Context): void {
	const projects = trustedProjects();
	if (json === true) {
		terminal.out(jsonDocument({ projects }));
		return;
	}
	for (const { path, origin, refusal } of projects) {
		const where = origin === undefined ? "" : terminal.outStyle.faint(`  (trusted_projects in ${originText(origin)})`);
		terminal.out(`${printableLine(path)}${where}\n`);
		if (refusal !== undefined) terminal.out(`  ${terminal.outStyle.warning("does not count:")} ${printableLine(refusal)}.\n`);
	}
	if (projects.length === 0) terminal.err("No project is trusted. robot-lab trust DIR trusts one.\n");
}

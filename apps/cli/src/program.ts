import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addConfigCommands } from "./commands/config.js";
import { addMcpCommand } from "./commands/mcp.js";
import { addNetworkCommands } from "./commands/network.js";
import { addRunCommand } from "./commands/run.js";
import { addSandboxCommands } from "./commands/sandbox.js";
import { addSkillsCommands } from "./commands/skills.js";
import { addTrustCommand } from "./commands/trust.js";
import type { Context } from "./context.js";
import { usageErrorText } from "./render/usage-error.js";

/** Every command there is. */
export function buildProgram(context: Context): Command {
	const program = newProgram(context);
	addRunCommand(program, context);
	addNetworkCommands(program, context);
	addSkillsCommands(program, context);
	addSandboxCommands(program, context);
	addConfigCommands(program, context);
	addTrustCommand(program, context);
	addMcpCommand(program, context);
	return program;
}

function newProgram({ terminal }: Context): Command {
	return new Command("robot-lab")
		.description("Runs a robot with Agent Skills whose scripts are confined.")
		.version(packageVersion(), "-V, --version", "print the version")
		.helpOption("-h, --help", "print this text")
		.exitOverride()
		.configureOutput({
			writeOut: terminal.out,
			writeErr: terminal.err,
			outputError: (text, write) => write(`${terminal.errStyle.bad("robot-lab:")} ${usageErrorText(text)}\n`),
		})
		.addHelpText("after", "\nExit codes: 0 done, 1 the work failed, 2 wrong usage, 130 interrupted, 143 ended by SIGTERM.");
}

function packageVersion(): string {
	return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

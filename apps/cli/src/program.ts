import { readFileSync } from "node:fs";
import { type Argument, Command, type Option } from "commander";
import { addConfigCommands } from "./commands/config.js";
import { addMcpCommand } from "./commands/mcp.js";
import { addNetworkCommands } from "./commands/network.js";
import { addRunCommand } from "./commands/run.js";
import { addSandboxCommands } from "./commands/sandbox.js";
import { addSkillsCommands } from "./commands/skills.js";
import { addTrustCommand } from "./commands/trust.js";
import type { Context } from "./context.js";
import { usageErrorText } from "./render/usage-error.js";

/**
 * Every command there is.
 *
 * @param args What it is called with: an error says which option may have taken what is missing.
 */
export function buildProgram(context: Context, args: readonly string[]): Command {
	const program = newProgram(context, args);
	addRunCommand(program, context);
	addNetworkCommands(program, context);
	addSkillsCommands(program, context);
	addSandboxCommands(program, context);
	addConfigCommands(program, context);
	addTrustCommand(program, context);
	addMcpCommand(program, context);
	return program;
}

function newProgram({ terminal }: Context, args: readonly string[]): Command {
	const program = new Command("robot-lab");
	return (
		program
			.description("Runs a robot with Agent Skills whose scripts are confined.")
			.version(packageVersion(), "-V, --version", "print the version")
			.helpOption("-h, --help", "print this text")
			// arguments come first: an option that takes several values would take them
			.configureHelp({
				commandUsage: (command) => [namesOf(command), argumentsOf(command), "[options]"].filter(Boolean).join(" "),
				subcommandTerm: (command) =>
					[command.name(), argumentsOf(command), command.options.length > 0 ? "[options]" : ""].filter(Boolean).join(" "),
			})
			.exitOverride()
			.configureOutput({
				writeOut: terminal.out,
				writeErr: terminal.err,
				outputError: (text, write) =>
					write(`${terminal.errStyle.bad("robot-lab:")} ${usageErrorText(text, greedyOption(program, args))}\n`),
			})
			.addHelpText("after", "\nExit codes: 0 done, 1 the work failed, 2 wrong usage, 130 interrupted, 143 ended by SIGTERM.")
	);
}

const namesOf = (command: Command): string => (command.parent === null ? command.name() : `${namesOf(command.parent)} ${command.name()}`);

const argumentsOf = (command: Command): string =>
	command.commands.length > 0 ? "[command]" : command.registeredArguments.map(humanReadable).join(" ");

function humanReadable(argument: Argument): string {
	const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
	return argument.required ? `<${name}>` : `[${name}]`;
}

/** The first option of the call that takes any number of values. */
function greedyOption(program: Command, args: readonly string[]): string | undefined {
	const greedy = new Set(optionsBelow(program).flatMap(({ variadic, long }) => (variadic && long ? [long] : [])));
	const words = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
	return words.find((word) => greedy.has(word));
}

const optionsBelow = (command: Command): readonly Option[] => [...command.options, ...command.commands.flatMap(optionsBelow)];

function packageVersion(): string {
	return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

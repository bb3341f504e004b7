import type { SandboxStatus } from "@robot-lab/sandbox";
import type { Command } from "commander";
import { tellUnasked } from "../approval.js";
import { openCatalog } from "../catalog.js";
import type { Context } from "../context.js";
import { addGrantOption, type GrantOption, grantSkills } from "../grants.js";
import { addLockOptions, decisionFor, type LockFlags } from "../lock.js";
import { confineServer } from "../mcp/confine-server.js";
import type { ServedSkills } from "../mcp/served-skills.js";
import { addCeilingOptions, addSkillsOption, type CeilingOptions, type SkillsOption } from "../options.js";
import { confinementText } from "../render/confinement.js";
import { renderDiagnostics } from "../render/diagnostics.js";
import { printableLine } from "../render/printable.js";

interface McpOptions extends SkillsOption, CeilingOptions, LockFlags, GrantOption {
	readonly ask?: boolean;
}

const BY_HAND = "This speaks the Model Context Protocol: it is for the configuration of an MCP client. Ctrl-D ends it.";

export function addMcpCommand(program: Command, context: Context): void {
	const command = program
		.command("mcp")
		.description(
			"serves the scripts of skills, confined (on Linux by bubblewrap), as tools to any client of the Model Context Protocol, on standard input and output",
		)
		.option("--ask", "run only what was approved for good on a terminal (robot-lab skills run --ask)");
	addCeilingOptions(addGrantOption(addLockOptions(addSkillsOption(command)), "named")).action((options: McpOptions) =>
		serve(options, program.version() ?? "", context),
	);
}

async function serve(options: McpOptions, version: string, { terminal, interrupt, expectWarning }: Context): Promise<void> {
	const status = await confineServer(options);
	// standard input is the client's, so nobody can be asked there, terminal or not
	const approval = await decisionFor(options, { ...terminal, isScreen: { stdout: false, stderr: false } });
	// the first line says it for all calls
	expectWarning("ROBOT_LAB_SANDBOX_UNCONFINED");
	const catalog = await openCatalog(options.skills);
	await grantSkills(catalog, options, terminal);
	await tellUnasked(() => catalog.all(), options, terminal);
	if (process.stdin.isTTY) terminal.err(`${BY_HAND}\n`);
	// what speaks the protocol takes longer to load than all the rest
	const { serveSkills } = await import("../mcp/serve-skills.js");
	const told = new Set<string>();
	const tell = (line: string): void => {
		if (told.has(line)) return;
		told.add(line);
		terminal.err(`${line}\n`);
	};
	const confined = confinedText(status);
	await serveSkills({
		catalog,
		approval,
		version,
		signal: interrupt.signal,
		onFlaw: (message) => terminal.err(`${terminal.errStyle.warning("warning:")} ${printableLine(message, 400)}\n`),
		onSkills: async (served: ServedSkills) => {
			const { skills, tools } = await served.current;
			tell(`Skills: ${skills.size}, tools: ${tools.size}. Confined: ${confined}.`);
			for (const line of renderDiagnostics(await catalog.diagnostics(), terminal.errStyle)) tell(line);
		},
	});
}

function confinedText({ enabled, strategy, refuses }: SandboxStatus): string {
	return refuses ? `${strategy}: scripts are not run` : confinementText({ enabled, confinement: strategy, platform: process.platform });
}

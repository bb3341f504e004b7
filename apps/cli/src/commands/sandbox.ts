import type { Command } from "commander";
import type { Context } from "../context.js";
import { addSandboxDoctorCommand } from "./sandbox-doctor.js";
import { addSandboxExplainCommand } from "./sandbox-explain.js";
import { addSandboxProfileCommand } from "./sandbox-profile.js";
import { addSandboxStatusCommand } from "./sandbox-status.js";

export function addSandboxCommands(program: Command, context: Context): void {
	const sandbox = program.command("sandbox").description("how scripts are confined on this machine");
	addSandboxStatusCommand(sandbox, context);
	addSandboxExplainCommand(sandbox, context);
	addSandboxProfileCommand(sandbox, context);
	addSandboxDoctorCommand(sandbox, context);
}

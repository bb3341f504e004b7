import { Capabilities } from "@robot-lab/core";
import { Sandbox } from "@robot-lab/sandbox";
import type { Command } from "commander";
import type { Context } from "../context.js";
import { addCeilingOptions, addJsonOption, applyCeiling, type CeilingOptions, type JsonOption } from "../options.js";
import { ceilingRecord } from "../render/capabilities.js";
import { jsonDocument } from "../render/json.js";
import { renderSandboxStatus } from "../render/sandbox-status.js";

export function addSandboxStatusCommand(sandbox: Command, context: Context): void {
	const command = sandbox.command("status").description("whether and how scripts are confined here, and the ceiling");
	addCeilingOptions(addJsonOption(command, "print one JSON document")).action((options: CeilingOptions & JsonOption) =>
		showStatus(options, context),
	);
}

async function showStatus(options: CeilingOptions & JsonOption, { terminal }: Context): Promise<void> {
	applyCeiling(options);
	const status = await Sandbox.status();
	const ceiling = Capabilities.ceiling();
	if (options.json) terminal.out(jsonDocument({ platform: process.platform, ...status, ceiling: ceilingRecord(ceiling) }));
	else terminal.out(`${renderSandboxStatus({ status, ceiling, platform: process.platform }, terminal.outStyle).join("\n")}\n`);
}

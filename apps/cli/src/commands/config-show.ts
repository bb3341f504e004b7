import { configSources } from "@robot-lab/core";
import type { Command } from "commander";
import type { Context } from "../context.js";
import { addJsonOption, type JsonOption } from "../options.js";
import { configRecord, renderConfig } from "../render/config.js";
import { jsonDocument } from "../render/json.js";

export function addConfigShowCommand(config: Command, { terminal }: Context): void {
	const command = config.command("show").description("each setting, its value and where that came from");
	addJsonOption(command, "print one JSON document").action(({ json }: JsonOption) => {
		const sources = configSources();
		terminal.out(json ? jsonDocument(configRecord(sources)) : `${renderConfig(sources, terminal.outStyle).join("\n")}\n`);
	});
}

import type { Command } from "commander";
import type { Context } from "../context.js";
import { addConfigShowCommand } from "./config-show.js";

export function addConfigCommands(program: Command, context: Context): void {
	const config = program.command("config").description("what is configured, and where");
	addConfigShowCommand(config, context);
}

import type { Command } from "commander";
import type { Context } from "../context.js";
import { addNetworkRunCommand } from "./network-run.js";
import { addNetworkShowCommand } from "./network-show.js";

export function addNetworkCommands(program: Command, context: Context): void {
	const network = program.command("network").description("look at networks of robots in files and run them");
	addNetworkShowCommand(network, context);
	addNetworkRunCommand(network, context);
}

import type { Network } from "@robot-lab/core";
import { type Command, Option } from "commander";
import type { Context } from "../context.js";
import { addNetworkFileOptions, type NetworkFileOptions, openNetwork } from "../network-file.js";
import { jsonDocument } from "../render/json.js";
import { printable } from "../render/printable.js";

const FORMATS = {
	tree: (network) => network.visualize(),
	mermaid: (network) => network.toMermaid(),
	dot: (network) => network.toDot(),
	plan: (network) => network.executionPlan(),
} as const satisfies Record<string, (network: Network<string>) => string>;

interface ShowOptions extends NetworkFileOptions {
	readonly format: keyof typeof FORMATS | "json";
}

export function addNetworkShowCommand(network: Command, context: Context): void {
	const command = network
		.command("show")
		.argument("<file>", "the network, a YAML file")
		.description("a network as it is written: its tasks and what they wait for; nothing runs")
		.addOption(new Option("--format <name>", "how it is drawn").choices([...Object.keys(FORMATS), "json"]).default("tree"));
	addNetworkFileOptions(command).action((file: string, options: ShowOptions) => showNetwork(file, options, context));
}

async function showNetwork(file: string, options: ShowOptions, { terminal }: Context): Promise<void> {
	const { network } = await openNetwork(file, options);
	const { format } = options;
	terminal.out(format === "json" ? jsonDocument(network) : `${printable(FORMATS[format](network))}\n`);
}

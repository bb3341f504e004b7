import { basename } from "node:path";
import { Capabilities } from "../capability/capabilities.js";
import { config } from "../config/configure.js";

/** How a script is started whose dependencies uv installs, before its path. */
export const THROUGH_UV: readonly string[] = ["uv", "run", "--script"];

const UV: ReadonlySet<string> = new Set(["uv", "uvx"]);

/**
 * Whether a command has uv start the script, by our choice or by the script's own first line. Wherever the name stands before the script's path: other
 * programs may start it (`nice uv run`).
 */
export const runsThroughUv = (command: readonly string[]): boolean => command.slice(0, -1).some((word) => UV.has(basename(word)));

/**
 * Why a script that uv is to start cannot be, as a sentence; `undefined` when it can. What it needs is installed from the network, by a bundle's
 * word, so the bundle must have been granted that. Whether there is a `uv` is found out with every other interpreter.
 */
export function refusalOfUv(command: readonly string[], capabilities: Capabilities): string | undefined {
	if (config().scripts.pep723 !== "uv" || !runsThroughUv(command)) return undefined;
	if (capabilities.intersect(Capabilities.ceiling()).network) return undefined;
	const step = capabilities.network
		? "Set sandbox.network to true"
		: "Declare network: true in its SKILL.md and set sandbox.network to true";
	return `It runs through uv (scripts.pep723), which installs its dependencies from the network, and the network is not granted. ${step}, or scripts.pep723 to "off".`;
}

import type { Capabilities } from "@robot-lab/core";
import type { Enforced, SandboxStatus } from "@robot-lab/sandbox";
import { columns } from "./columns.js";
import { confinementText } from "./confinement.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

export interface SandboxStatusView {
	readonly status: SandboxStatus;
	readonly ceiling: Capabilities;
	readonly platform: string;
}

const ENFORCED: Readonly<Record<keyof Enforced, string>> = {
	fsRead: "reading files",
	fsWrite: "writing files",
	network: "the network",
	processes: "other processes",
	environment: "environment variables",
};

/** What confines, what it keeps scripts from, and the most a skill can be given. */
export function renderSandboxStatus({ status, ceiling, platform }: SandboxStatusView, style: Style): string[] {
	const { enforced, installed, enabled, strategy, reason } = status;
	const text = confinementText({ enabled, confinement: strategy, platform });
	const paths = (list: readonly string[]): string => list.map((path) => printableLine(path, 60)).join(", ") || "nothing";
	return [
		...columns([
			["package", installed ? "@robot-lab/sandbox is installed as the executor" : "another executor is installed"],
			["enabled", enabled ? "yes" : "no"],
			["confined", text],
			...(strategy !== "none" && reason !== undefined ? [["but", printableLine(reason)]] : []),
		]).map((line) => (strategy === "none" && line.includes(text) ? style.warning(line) : line)),
		"",
		style.heading("Kept to the grant"),
		...columns(Object.entries(ENFORCED).map(([key, label]) => [label, enforced[key as keyof Enforced] ? "yes" : "no"])),
		"",
		style.heading("Ceiling"),
		...columns([
			["read", paths(ceiling.fsRead)],
			["write", paths(ceiling.fsWrite)],
			["network", ceiling.network ? "yes" : "no"],
			["time", `${ceiling.timeout} s`],
		]),
	];
}

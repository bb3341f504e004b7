import type { Capabilities } from "@robot-lab/core";
import type { Enforced, LimitsHere, SandboxStatus } from "@robot-lab/sandbox";
import { columns } from "./columns.js";
import { confinementText } from "./confinement.js";
import { limitTexts } from "./grant.js";
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

const LIMITS: Readonly<Record<keyof LimitsHere, string>> = {
	memoryMb: "memory",
	processes: "processes",
	fileSizeMb: "size of files",
	cpuSeconds: "processor time",
	outputBytes: "output",
};

/** What confines, what it keeps scripts from, and the most a skill can be given. */
export function renderSandboxStatus({ status, ceiling, platform }: SandboxStatusView, style: Style): string[] {
	const { enforced, notEnforced, limits, installed, enabled, strategy, refuses, reason } = status;
	const text = refuses ? `${strategy}: scripts are not run` : confinementText({ enabled, confinement: strategy, platform });
	const paths = (list: readonly string[]): string => list.map((path) => printableLine(path, 60)).join(", ") || "nothing";
	return [
		...columns([
			["package", installed ? "@robot-lab/sandbox is installed as the executor" : "another executor is installed"],
			["enabled", enabled ? "yes" : "no"],
			["confined", text],
			...(enabled && reason !== undefined ? [["because", printableLine(reason)]] : []),
		]).map((line) => (strategy === "none" && line.includes(text) ? style.warning(line) : line)),
		"",
		style.heading("Kept to the grant"),
		...columns(Object.entries(ENFORCED).map(([key, label]) => [label, enforced[key as keyof Enforced] ? "yes" : "no"])),
		...(limits === undefined ? [] : ["", style.heading("Held to limits that are set"), ...limitRows(limits)]),
		...(notEnforced.length === 0 ? [] : ["", style.heading("Not kept from scripts")]),
		...columns(notEnforced.map(({ what, why }) => [what, printableLine(why)])),
		"",
		style.heading("Ceiling"),
		...columns([
			["read", paths(ceiling.fsRead)],
			["write", paths(ceiling.fsWrite)],
			["network", ceiling.network ? "yes" : "no"],
			["time", `${ceiling.timeout} s`],
			["limits", limitTexts(ceiling.limits).join(", ") || "none"],
		]),
	];
}

/** A script with a limit that does not hold is not run, and why is what one wants to know then. */
function limitRows(limits: LimitsHere): string[] {
	const rows = Object.entries(LIMITS).map(([name, label]) => {
		const holds = limits[name as keyof LimitsHere];
		return holds === true ? [label, "yes"] : [label, "no", printableLine(holds)];
	});
	return columns(rows);
}

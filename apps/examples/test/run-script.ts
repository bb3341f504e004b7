import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../", import.meta.url));
export const log: string = fileURLToPath(new URL("../data/access.log", import.meta.url));

export interface Run {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs a skill's script as a person would, by its path and with its own shebang. */
export function runScript(script: string, args: readonly string[], stdin = ""): Run {
	const path = fileURLToPath(new URL(`../skills/${script}`, import.meta.url));
	const { status, stdout, stderr, error } = spawnSync(path, args, { cwd: root, encoding: "utf8", input: stdin });
	if (error) throw error;
	return { code: status, stdout, stderr };
}

export function isInstalled(program: string): boolean {
	return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built command. */
export const main: string = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface CliRun {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

export interface CliOptions {
	readonly cwd?: string;
	readonly stdin?: string | Uint8Array;
	readonly env?: Readonly<Record<string, string>>;
	/** Run as this user instead of the present one; only root may. */
	readonly uid?: number;
	/** A file for standard output instead of a pipe. */
	readonly stdout?: string;
}

/** Nothing of the developer's own: no key, no colours, no skills in the home directory. */
function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
	const { PATH = "" } = process.env;
	return { PATH, HOME: "/nonexistent", ...extra };
}

/** Runs the built command to its end, as a process of its own. */
export function cli(args: readonly string[], { cwd, stdin = "", env, uid, stdout: file }: CliOptions = {}): CliRun {
	const output = file === undefined ? "pipe" : openSync(file, "w");
	const { status, stdout, stderr, error } = spawnSync(process.execPath, [main, ...args], {
		encoding: "utf8",
		input: stdin,
		stdio: ["pipe", output, "pipe"],
		maxBuffer: 64 * 1024 * 1024,
		env: environment(env),
		...(cwd !== undefined && { cwd }),
		...(uid !== undefined && { uid }),
	});
	if (typeof output === "number") closeSync(output);
	// A command may end without having read all it was sent.
	if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
	return { code: status, stdout: stdout ?? "", stderr };
}

/** How to run the command as a user from whom files can be kept; `undefined` where there is none who can start it. */
export const stranger: CliOptions | undefined = findStranger();

function findStranger(): CliOptions | undefined {
	if (process.getuid?.() !== 0) return { cwd: "/" };
	const uid = 65534;
	return spawnSync(process.execPath, [main, "--version"], { uid, cwd: "/", stdio: "ignore" }).status === 0 ? { uid, cwd: "/" } : undefined;
}

/** Starts the built command and leaves it running. */
export function startCli(args: readonly string[], { cwd, env }: CliOptions = {}): ChildProcess {
	return spawn(process.execPath, [main, ...args], {
		stdio: ["ignore", "pipe", "pipe"],
		env: environment(env),
		...(cwd !== undefined && { cwd }),
	});
}

/** The exit code of a started command, or its signal. */
export function ended(child: ChildProcess): Promise<number | string | null> {
	return new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
}

/** Resolves once `text` has come on standard output. */
export function printed(child: ChildProcess, text: string): Promise<void> {
	return new Promise((resolve, reject) => {
		let seen = "";
		child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
			seen += chunk;
			if (seen.includes(text)) resolve();
		});
		child.once("close", () => reject(new Error(`ended before it printed ${text}: ${seen}`)));
	});
}

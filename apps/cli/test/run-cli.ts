import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

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
}

/** Nothing of the developer's own: no key, no colours, no skills in the home directory. */
function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
	const { PATH = "" } = process.env;
	return { PATH, HOME: "/nonexistent", ...extra };
}

/** Runs the built command to its end, as a process of its own. */
export function cli(args: readonly string[], { cwd, stdin = "", env, uid }: CliOptions = {}): CliRun {
	const { status, stdout, stderr, error } = spawnSync(process.execPath, [main, ...args], {
		encoding: "utf8",
		input: stdin,
		maxBuffer: 64 * 1024 * 1024,
		env: environment(env),
		...(cwd !== undefined && { cwd }),
		...(uid !== undefined && { uid }),
	});
	// A command may end without having read all it was sent.
	if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
	return { code: status, stdout, stderr };
}

/** Starts the built command and leaves it running. */
export function startCli(args: readonly string[], { cwd }: CliOptions = {}): ChildProcess {
	return spawn(process.execPath, [main, ...args], {
		stdio: ["ignore", "pipe", "pipe"],
		env: environment(),
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

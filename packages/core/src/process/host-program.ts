import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { findProgram } from "./find-program.js";
import { hostDirectory } from "./host-directory.js";

/** Whether a program of that name can be started from this process's own PATH. */
export function hasProgram(name: string): boolean {
	return "path" in findProgram(name, hostDirectory() ?? "/", process.env.PATH ?? ["/usr/bin", "/bin"].join(delimiter));
}

/**
 * Runs one of the host's own small tools and gives its output, or `undefined` when it is missing, fails or takes longer than that.
 * For tools of ours with arguments of ours; a command that somebody else wrote goes through `runBounded`.
 */
export async function readFromProgram(command: readonly [string, ...string[]], timeoutMs: number): Promise<string | undefined> {
	const [file, ...args] = command;
	try {
		// Importing execa takes more than a hundred milliseconds, which those who never need it do not pay.
		const { execa } = await import("execa");
		const { stdout } = await execa(file, args, {
			timeout: Math.ceil(timeoutMs),
			stdin: "ignore",
			stderr: "ignore",
			env: { LC_ALL: "C" },
			// It would listen for signals meanwhile, and one that comes in just as it stops would be lost.
			cleanup: false,
		});
		return stdout;
	} catch {
		return undefined;
	}
}

/** The same while this process's thread stands still: for the moment before it ends. */
export function readFromProgramNow([file, ...args]: readonly [string, ...string[]], timeoutMs: number): string | undefined {
	const { status, stdout } = spawnSync(file, args, {
		encoding: "utf8",
		timeout: Math.ceil(timeoutMs),
		stdio: ["ignore", "pipe", "ignore"],
		env: { ...process.env, LC_ALL: "C" },
	});
	return status === 0 ? stdout : undefined;
}

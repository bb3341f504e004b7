import { delimiter } from "node:path";
import { findProgram } from "./find-program.js";

/** Whether a program of that name can be started from this process's own PATH. */
export function hasProgram(name: string): boolean {
	return "path" in findProgram(name, process.cwd(), process.env.PATH ?? ["/usr/bin", "/bin"].join(delimiter));
}

/**
 * Runs one of the host's own small tools and gives its output, or `undefined` when it is missing, fails or takes longer than that.
 * For tools of ours with arguments of ours; a command that somebody else wrote goes through `runBounded`.
 */
export async function readFromProgram(command: readonly [string, ...string[]], timeoutMs: number): Promise<string | undefined> {
	// Importing execa takes more than a hundred milliseconds, which those who never need it do not pay.
	const { execa } = await import("execa");
	const [file, ...args] = command;
	const { failed, stdout } = await execa(file, args, {
		reject: false,
		timeout: timeoutMs,
		stdin: "ignore",
		stderr: "ignore",
		env: { LC_ALL: "C" },
	});
	return failed ? undefined : stdout;
}

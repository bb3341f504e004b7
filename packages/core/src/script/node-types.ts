import { realpathSync } from "node:fs";
import { basename, extname } from "node:path";
import { findProgram } from "../process/find-program.js";
import { hostDirectory } from "../process/host-directory.js";
import { readFromProgram } from "../process/host-program.js";

const TYPESCRIPT: ReadonlySet<string> = new Set([".ts", ".mts", ".cts"]);
const VERSION_TIMEOUT_MS = 10_000;

/** The versions of other programs that were asked: asking again would cost as much as many a script. */
const versions = new Map<string, Promise<string | undefined>>();

/**
 * Why node cannot run a TypeScript file as it is, as a sentence; `undefined` when it can, when the script is no such file or starts with options of
 * its own, and when there is no node, which is found out with every other interpreter.
 */
export async function refusalOfTypes(command: readonly string[]): Promise<string | undefined> {
	const [program = "", script = ""] = command;
	if (command.length !== 2 || basename(program) !== "node" || !TYPESCRIPT.has(extname(script).toLowerCase())) return undefined;
	const found = findProgram(program, hostDirectory() ?? "/", process.env.PATH ?? "");
	const version = "path" in found ? await versionOf(found.path) : undefined;
	if (version === undefined || stripsTypes(version)) return undefined;
	return `It is TypeScript, which node runs from 22.18 on, and the node on PATH is ${version}. Put a newer node on PATH.`;
}

async function versionOf(path: string): Promise<string | undefined> {
	const real = realpathSync(path);
	if (real === realpathSync(process.execPath)) return process.versions.node;
	let version = versions.get(real);
	if (version === undefined) {
		version = readFromProgram([real, "--version"], VERSION_TIMEOUT_MS).then((output) => /^v(\d+\.\d+\.\d+)/.exec(output ?? "")?.[1]);
		versions.set(real, version);
	}
	return version;
}

/** Without a flag: from 22.18 on in the line 22, and from 23.6 on. */
function stripsTypes(version: string): boolean {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

import { realpathSync } from "node:fs";
import { basename, extname } from "node:path";
import { findProgram } from "../process/find-program.js";
import { hostDirectory } from "../process/host-directory.js";
import { readFromProgram } from "../process/host-program.js";

const TYPESCRIPT: ReadonlySet<string> = new Set([".ts", ".mts", ".cts"]);
const VERSION_TIMEOUT_MS = 10_000;

/** The versions of other programs that were asked: asking again would cost as much as many a script. */
const versions = new Map<string, Promise<string | undefined>>();

/** Why node cannot run a file as it is. */
export interface NodeRefusal {
	readonly code: "interpreter_too_old" | "script_misnamed";
	/** A sentence. */
	readonly message: string;
}

/**
 * Why node cannot run a TypeScript file, or a module by its extension, as it is; `undefined` when it can, when the script is no such file or starts with
 * options of its own, and when there is no node, which is found out with every other interpreter.
 */
export async function refusalOfNode(command: readonly string[]): Promise<NodeRefusal | undefined> {
	const [program = "", script = ""] = command;
	const written = extname(script);
	const extension = written.toLowerCase();
	if (command.length !== 2 || basename(program) !== "node" || !(TYPESCRIPT.has(extension) || extension === ".mjs")) return undefined;
	if (written !== extension) {
		const message = `node knows its extension in small letters alone. Rename it: ${extension} in the place of ${written}.`;
		return { code: "script_misnamed", message };
	}
	if (!TYPESCRIPT.has(extension)) return undefined;
	const found = findProgram(program, hostDirectory() ?? "/", process.env.PATH ?? "");
	const version = "path" in found ? await versionOf(found.path) : undefined;
	if (version === undefined || stripsTypes(version)) return undefined;
	const message = `It is TypeScript, which node runs from 22.18 on, and the node on PATH is ${version}. Put a newer node on PATH.`;
	return { code: "interpreter_too_old", message };
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

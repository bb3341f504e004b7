import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { realPath } from "@robot-lab/core/paths";
import { findProgram } from "@robot-lab/core/process";
import { crossedLinks } from "./crossed-links.js";
import { interpreterRoots } from "./interpreter-roots.js";

export interface InterpreterSearch {
	readonly command: readonly string[];
	readonly cwd: string;
	/** Directories separated by colons, as in `PATH`. */
	readonly searchPath: string;
	readonly home: string;
}

export interface FoundInterpreters {
	readonly roots: readonly string[];
	readonly links: readonly string[];
}

const MAX_SHEBANGS = 4;
const SHEBANG_BYTES = 256;

/** What the programs need that start `command`: its first word, what `env` runs, and the interpreters their own first lines name. */
export function findInterpreters(search: InterpreterSearch): FoundInterpreters {
	const roots = new Set<string>();
	const links = new Set<string>();
	let words = search.command;
	for (let round = 0; words.length > 0 && round < MAX_SHEBANGS; round += 1) {
		const [program = "", ...rest] = words;
		const found = findProgram(program, search.cwd, search.searchPath);
		if (!("path" in found)) break;
		const real = realOf(found.path);
		for (const root of [...interpreterRoots(real, search.home), ...virtualEnvironment(found.path)]) roots.add(root);
		for (const link of crossedLinks(found.path)) links.add(link);
		words = basename(program) === "env" ? programOfEnv(rest) : shebangOf(real);
	}
	return { roots: [...roots], links: [...links] };
}

/** `env` runs its first argument that is no option and sets no variable. */
function programOfEnv(words: readonly string[]): readonly string[] {
	const at = words.findIndex((word) => !word.startsWith("-") && !word.includes("="));
	return at === -1 ? [] : words.slice(at);
}

function shebangOf(path: string): readonly string[] {
	const [, line = ""] = /^#!([^\n]*)/.exec(firstBytes(path)) ?? [];
	return line.split(/[ \t]+/).filter((word) => word !== "");
}

/** Python looks beside itself, before links are resolved, for the environment it belongs to. */
function virtualEnvironment(program: string): readonly string[] {
	const root = dirname(dirname(program));
	return existsSync(`${root}/pyvenv.cfg`) ? [realOf(root)] : [];
}

function realOf(path: string): string {
	try {
		return realPath(path);
	} catch {
		return path;
	}
}

function firstBytes(path: string): string {
	try {
		const file = openSync(path, "r");
		try {
			const bytes = Buffer.alloc(SHEBANG_BYTES);
			return bytes.toString("utf8", 0, readSync(file, bytes));
		} finally {
			closeSync(file);
		}
	} catch {
		return "";
	}
}

import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { parseShebang, programOfEnv } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { findProgram } from "@robot-lab/core/process";
import { crossedLinks } from "./crossed-links.js";
import { realOr } from "./host-paths.js";
import { interpreterNeeds, isSystemProgram, type KnownPlaces, knownPlaces } from "./interpreter-roots.js";
import { shimOf } from "./version-managers.js";

export interface InterpreterSearch {
	readonly command: readonly string[];
	readonly cwd: string;
	/** Directories separated by colons, as in `PATH`. */
	readonly searchPath: string;
	readonly home: string;
	/** The host's variables, which say where version managers are. Default: this process's. */
	readonly host?: Readonly<Record<string, string | undefined>>;
}

export interface FoundInterpreters {
	readonly roots: readonly string[];
	readonly links: readonly string[];
	/** Those of which the file itself is all that is among the roots. */
	readonly lone: readonly string[];
}

const MAX_SHEBANGS = 4;
const SHEBANG_BYTES = 256;

/** What the programs need that start `command`: its first word, what `env` runs, and the interpreters their own first lines name. */
export function findInterpreters(search: InterpreterSearch): FoundInterpreters {
	const places = knownPlaces(search.home, search.host ?? process.env);
	const found: Found = { roots: new Set(), links: new Set(), lone: new Set() };
	let words = search.command;
	for (let round = 0; words.length > 0 && round < MAX_SHEBANGS; round += 1) {
		const [program = "", ...rest] = words;
		const lookUp = findProgram(program, search.cwd, search.searchPath);
		if (!("path" in lookUp)) break;
		const real = addProgram(found, lookUp.path, places);
		if (!program.includes("/")) for (const root of virtualEnvironment(lookUp.path, search.home)) found.roots.add(root);
		words = basename(program) === "env" ? programOfEnv(rest) : (parseShebang(firstBytes(real)) ?? []);
	}
	return { roots: [...found.roots], links: [...found.links], lone: [...found.lone] };
}

interface Found {
	readonly roots: Set<string>;
	readonly links: Set<string>;
	readonly lone: Set<string>;
}

/** The real path of what was added. */
function addProgram(found: Found, path: string, places: KnownPlaces): string {
	const real = realOr(path);
	const shim = isSystemProgram(real) ? undefined : shimOf(real, places.managed);
	if (shim === undefined) addNeeds(found, path, places, real);
	else {
		for (const link of crossedLinks(path)) found.links.add(link);
		for (const part of shim.manager.shims ?? []) found.roots.add(`${shim.root}/${part}`);
		for (const behind of programsBehind(shim)) addNeeds(found, behind, places);
	}
	return real;
}

function addNeeds(found: Found, path: string, places: KnownPlaces, real: string = realOr(path)): void {
	const { roots, links, lone } = interpreterNeeds(real, places);
	for (const root of roots) found.roots.add(root);
	for (const link of [...crossedLinks(path), ...links]) found.links.add(link);
	if (lone) found.lone.add(real);
}

/** What a stand-in may start: the program of that name in each version that has one. */
function programsBehind({ root, program }: { readonly root: string; readonly program: string }): readonly string[] {
	const versions = [...namesIn(`${root}/versions`), ...namesIn(`${root}/installs`).flatMap(namesIn)];
	return versions.map((version) => `${version}/bin/${program}`).filter((path) => existsSync(path));
}

function namesIn(directory: string): readonly string[] {
	try {
		return readdirSync(directory).map((name) => `${directory}/${name}`);
	} catch {
		return [];
	}
}

/**
 * Python looks beside itself, before links are resolved, for the environment it belongs to. Only where `PATH`, which is the host's,
 * leads to it, and only that environment's own parts: a project may lie around them.
 */
function virtualEnvironment(program: string, home: string): readonly string[] {
	const root = realOr(dirname(dirname(program)));
	const settings = `${root}/pyvenv.cfg`;
	if (!existsSync(settings)) return [];
	const libraries = namesIn(`${root}/lib`).filter((path) => /^python\d+\.\d+$/.test(basename(path)));
	return [settings, ...libraries].filter((path) => isAtOrBelow(realOr(path), root) && !isAtOrBelow(home, path));
}

function firstBytes(path: string): string {
	try {
		const file = openSync(path, "r");
		try {
			const bytes = Buffer.allocUnsafe(SHEBANG_BYTES);
			return bytes.toString("utf8", 0, readSync(file, bytes));
		} finally {
			closeSync(file);
		}
	} catch {
		return "";
	}
}

import { existsSync } from "node:fs";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { HOMEBREW_PREFIXES, homebrewNeeds } from "./homebrew.js";
import { realOr } from "./host-paths.js";
import { SYSTEM_PROGRAMS } from "./system-programs.js";
import { type ManagedPlace, managedPlaces, versionRoots } from "./version-managers.js";

/** Where interpreters are known to lie with all they are made of. */
export interface KnownPlaces {
	/** Real. Nothing that contains it is opened for an interpreter's sake. */
	readonly home: string;
	/** Looked for when it is first asked for, which no program of the system's takes. */
	readonly managed: readonly ManagedPlace[];
	readonly homebrew: readonly string[];
}

/** What has to be readable for a program to start. */
export interface InterpreterNeeds {
	readonly roots: readonly string[];
	/** Links by which it finds the rest of itself. */
	readonly links: readonly string[];
	/** Whether it is in no known place, so that nothing but its own file is opened. */
	readonly lone: boolean;
}

/** What installations into `/usr/local` put outside of `bin`, by the program's name. */
const BESIDE_USR_LOCAL: readonly (readonly [program: RegExp, beside: (version: string) => readonly string[]])[] = [
	[/^python(\d+\.\d+)$/, (version) => [`lib/python${version}`, `lib/libpython${version}.dylib`]],
	[/^ruby$/, () => ["lib/ruby"]],
	[/^perl$/, () => ["lib/perl5"]],
];
const USR_LOCAL = "/usr/local";

/** The places that count on this computer, by its home directory and the host's own environment. */
export function knownPlaces(home: string, host: Readonly<Record<string, string | undefined>>): KnownPlaces {
	const { HOMEBREW_PREFIX: chosen } = host;
	const prefixes = chosen?.startsWith("/") ? [...HOMEBREW_PREFIXES, realOr(chosen)] : HOMEBREW_PREFIXES;
	let managed: readonly ManagedPlace[] | undefined;
	return {
		home,
		get managed() {
			managed ??= managedPlaces(home, host, realPlace);
			return managed;
		},
		homebrew: prefixes,
	};
}

/** Most are not there, and that is found out much quicker than where what is missing would be. */
function realPlace(path: string): string {
	return existsSync(path) ? realOr(path) : path;
}

/** Whether the program lies where nothing has to be opened for it. */
export const isSystemProgram = (realPath: string): boolean => SYSTEM_PROGRAMS.some((root) => isAtOrBelow(realPath, root));

/**
 * What has to be readable for the program at `realPath` to start, besides the system's own directories: its version's directory where
 * it is in a known place, and else its file alone. A script chooses its interpreter, and with it nothing beyond that.
 */
export function interpreterNeeds(realPath: string, places: KnownPlaces): InterpreterNeeds {
	if (isSystemProgram(realPath)) return { roots: [], links: [], lone: false };
	const brewed = homebrewNeeds(realPath, places.homebrew);
	const known = brewed?.roots ?? versionRoots(realPath, places.managed) ?? besideUsrLocal(realPath);
	const roots = known?.filter((root) => !isAtOrBelow(places.home, root));
	if (roots === undefined || roots.length === 0) return { roots: [realPath], links: [], lone: true };
	return { roots, links: brewed?.links ?? [], lone: false };
}

function besideUsrLocal(realPath: string): readonly string[] | undefined {
	const name = realPath.startsWith(`${USR_LOCAL}/bin/`) ? realPath.slice(`${USR_LOCAL}/bin/`.length) : "";
	for (const [program, beside] of BESIDE_USR_LOCAL) {
		const match = program.exec(name);
		if (match !== null) return [realPath, ...beside(match[1] ?? "").map((path) => `${USR_LOCAL}/${path}`)];
	}
	return undefined;
}

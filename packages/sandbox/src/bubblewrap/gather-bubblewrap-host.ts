import { lstatSync } from "node:fs";
import { userInfo } from "node:os";
import { protectedIn, waysToProtected } from "../grant/protected-paths.js";
import { crossedLinks } from "../host/crossed-links.js";
import { findInterpreters } from "../host/find-interpreters.js";
import { homeDirectory } from "../host/home-directory.js";
import { absoluteOr, realOr } from "../host/host-paths.js";
import { linkTarget } from "../host/walk-path.js";
import type { BubblewrapHost } from "./bubblewrap-host.js";
import { SYSTEM_DIRECTORIES, SYSTEM_FILES } from "./system-files.js";

export interface BubblewrapHostRequest {
	/** What is granted, and what the script has anyway. */
	readonly read: readonly string[];
	readonly write: readonly string[];
	/** A directory that is writable and nobody's but the script's. */
	readonly scratchDir: string | undefined;
	/** Other spellings of the same, as a script may use them. */
	readonly spellings: readonly string[];
	readonly command: readonly string[];
	readonly cwd: string;
	readonly searchPath: string;
	readonly network: boolean;
}

/** The user that root becomes, and its name. */
const UNPRIVILEGED = { uid: 1000, gid: 1000, userName: "robot" };
const PLAIN_NAME = /^[a-z_][a-z0-9_.-]{0,30}$/i;

/** Looks at this computer for what the mounts depend on. Never throws: what cannot be found out is left as it is spelt, or out. */
export function gatherBubblewrapHost(request: BubblewrapHostRequest): BubblewrapHost {
	const home = homeDirectory();
	const interpreters = findInterpreters({ ...request, home });
	const scratch = request.scratchDir === undefined ? [] : [request.scratchDir];
	const spelt = [...request.read, ...request.write, ...scratch, request.cwd];
	const guarded = request.write.map(realOr).flatMap(protectedIn).filter(exists);
	const realPaths = new Map([...spelt, ...guarded].map((path) => [path, realOr(path)]));
	const links = [...spelt, ...request.spellings].map(absoluteOr).flatMap(crossedLinks);
	return {
		home,
		...account(),
		systemDirectories: systemDirectories(),
		systemFiles: systemFiles(request.network),
		toolRoots: interpreters.roots,
		links: new Map([...links, ...interpreters.links].flatMap((path) => linkEntry(path))),
		existing: new Set([...realPaths.values(), ...guarded, ...interpreters.roots].filter(exists)),
		filesOnTheWay: new Set(request.write.map(realOr).flatMap(waysToProtected).filter(isFile)),
		realPaths,
	};
}

function account(): Pick<BubblewrapHost, "uid" | "gid" | "userName"> {
	const uid = process.getuid?.() ?? 0;
	const gid = process.getgid?.() ?? 0;
	if (uid === 0 || gid === 0) return { ...UNPRIVILEGED, ...(uid !== 0 && { uid }) };
	return { uid, gid, userName: userName() };
}

function userName(): string {
	try {
		const { username } = userInfo();
		return PLAIN_NAME.test(username) ? username : UNPRIVILEGED.userName;
	} catch {
		// A user without an entry, as in containers.
		return UNPRIVILEGED.userName;
	}
}

let foundDirectories: ReadonlyMap<string, string | undefined> | undefined;

/** Looked up once: a system is not turned into another one under a running process. */
function systemDirectories(): ReadonlyMap<string, string | undefined> {
	foundDirectories ??= new Map(SYSTEM_DIRECTORIES.filter(exists).map((path) => [path, linkTarget(path)]));
	return foundDirectories;
}

function systemFiles(network: boolean): ReadonlyMap<string, string> {
	const wanted = SYSTEM_FILES.filter((file) => network || file.network !== true);
	return new Map(wanted.map(({ path }) => [path, realOr(path)] as const).filter(([, real]) => exists(real)));
}

function linkEntry(path: string): readonly (readonly [string, string])[] {
	const target = linkTarget(path);
	return target === undefined ? [] : [[path, target]];
}

function isFile(path: string): boolean {
	try {
		return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
	} catch {
		return false;
	}
}

function exists(path: string): boolean {
	try {
		return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
	} catch {
		return false;
	}
}

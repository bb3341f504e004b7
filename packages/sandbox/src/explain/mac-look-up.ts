import { lstatSync, type Stats } from "node:fs";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { realOr } from "../host/host-paths.js";
import { linkTarget, type Walk, walkPath } from "../host/walk-path.js";
import type { VnodeType } from "../sbpl/query.js";
import { macPath } from "../seatbelt/mac-path.js";
import { LONGEST_PATH, whyTooLong } from "./path-length.js";
import { type Surroundings, spelledOut } from "./surroundings.js";

/** Where a path leads on a Mac, spelt as its kernel does. */
export interface MacPlace extends Walk {
	/** What is there, as far as this computer can tell. */
	readonly kind: VnodeType | undefined;
	readonly isSetuid: boolean;
	/** What keeps a look-up from coming to the end, in words. */
	readonly barrier: string | undefined;
}

/**
 * Looks a path up as the Mac would. Elsewhere the system's own links are the Mac's, and links of this computer count only around what
 * the script is about: the Mac has no Linux in it.
 */
export function lookUpOnMac(path: string, surroundings: Surroundings, followLast = true): MacPlace {
	const tooLong = whyTooLong(path, LONGEST_PATH.mac);
	if (tooLong !== undefined) return { path, links: [], isLoop: false, kind: undefined, isSetuid: false, barrier: tooLong };
	const isMac = process.platform === "darwin";
	const walk = walkPath(spelledOut(path, surroundings), { followLast, ...(!isMac && { targetOf: targetElsewhere(surroundings) }) });
	// The native look-up also restores the case of letters, which most Macs do not tell apart.
	const end = macPath(isMac && followLast ? realOr(walk.path) : walk.path);
	const stats = isMac || isKnown(end, surroundings) ? statsOf(isMac ? end : localPath(end)) : undefined;
	const isDevice = !isMac && isAtOrBelow(end, "/dev");
	return {
		...walk,
		path: end,
		kind: stats === undefined ? (isDevice ? "CHARACTER-DEVICE" : undefined) : kindOf(stats),
		isSetuid: stats !== undefined && (stats.mode & 0o6000) !== 0 && stats.isFile(),
		barrier: walk.isLoop ? "the path is a loop of symbolic links" : undefined,
	};
}

function targetElsewhere(surroundings: Surroundings): (path: string) => string | undefined {
	return (path) => {
		const isSystemLink = path.lastIndexOf("/") === 0 && macPath(path) !== path;
		if (isSystemLink) return macPath(path);
		return isKnown(path, surroundings) ? linkTarget(localPath(path)) : undefined;
	};
}

function isKnown(path: string, { grant, skillDir, cwd, home, links }: Surroundings): boolean {
	const roots = [...grant.fsRead, ...grant.fsWrite, skillDir, cwd, home, ...links].filter((root) => root !== "/");
	return roots.some((root) => isAtOrBelow(path, macPath(root)));
}

/** How this computer, which is no Mac, spells what the Mac has in /private. */
const localPath = (path: string): string => (/^\/private\/(tmp|var|etc)(\/|$)/.test(path) ? path.slice("/private".length) : path);

function statsOf(path: string): Stats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

function kindOf(stats: Stats): VnodeType {
	if (stats.isDirectory()) return "DIRECTORY";
	if (stats.isSymbolicLink()) return "SYMLINK";
	if (stats.isCharacterDevice()) return "CHARACTER-DEVICE";
	if (stats.isBlockDevice()) return "BLOCK-DEVICE";
	if (stats.isSocket()) return "SOCKET";
	return stats.isFIFO() ? "FIFO" : "REGULAR-FILE";
}

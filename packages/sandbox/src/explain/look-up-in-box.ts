import { lstatSync, type Stats } from "node:fs";
import { ancestorsOf } from "../grant/access-plan.js";
import { linkTarget, type Walk, walkPath } from "../host/walk-path.js";
import { type Box, type BoxMount, hostPath, mountOf } from "./box.js";
import { MAY, permits, shownMode } from "./permissions.js";

/** Where a path leads inside, and what is there. */
export interface BoxPlace extends Walk {
	readonly mount: BoxMount;
	/** Of what a bind shows: the host's file as it is now. `undefined` where there is none, and in what is made anew. */
	readonly stats: Stats | undefined;
	/** What keeps a look-up from coming to the end, in words. */
	readonly barrier: string | undefined;
}

/** Looks a path up as the kernel will inside. `path` is absolute. Never throws. */
export function lookUpInBox(box: Box, path: string, followLast: boolean): BoxPlace {
	const walk = walkPath(path, { followLast, targetOf: (at) => targetIn(box, at) });
	const ways = [...walk.links.map((link) => link.path), walk.path];
	const barrier = walk.isLoop ? "the path is a loop of symbolic links" : ways.map((way) => barrierOn(box, way)).find((found) => found);
	return { ...walk, mount: mountOf(box, walk.path), stats: statsIn(box, walk.path), barrier };
}

function targetIn(box: Box, path: string): string | undefined {
	const mount = mountOf(box, path);
	if (mount.kind === "bind") return linkTarget(hostPath(mount, path));
	return mount.kind === "empty" ? box.links.get(path) : undefined;
}

/** The host's file that a bind shows at a path of inside. */
export function statsIn(box: Box, path: string): Stats | undefined {
	const mount = mountOf(box, path);
	if (mount.kind !== "bind") return undefined;
	try {
		return lstatSync(hostPath(mount, path), { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

function barrierOn(box: Box, path: string): string | undefined {
	for (const above of ancestorsOf(path)) {
		const stats = statsIn(box, above);
		if (stats === undefined) continue;
		if (!stats.isDirectory()) return `${above} is no directory`;
		if (!permits(stats, MAY.search)) return `the permissions of ${above} (${shownMode(stats)}), and inside there are no capabilities`;
	}
	return undefined;
}

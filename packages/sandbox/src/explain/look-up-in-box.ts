import { type Walk, walkPath } from "../host/walk-path.js";
import type { BoxNode } from "./box-entry.js";
import type { BoxTree } from "./box-tree.js";
import { byPermissions, MAY, permits } from "./permissions.js";

/** Where a path leads inside, and what is there. */
export interface BoxPlace extends Walk, BoxNode {
	/** What keeps a look-up from coming to the end, in words. */
	readonly barrier: string | undefined;
}

/** Looks a path up as the kernel will inside. `path` is absolute. Never throws. */
export function lookUpInBox(tree: BoxTree, path: string, followLast: boolean): BoxPlace {
	let barrier: string | undefined;
	const walk = walkPath(path, {
		followLast,
		targetOf: (at) => tree(at).target,
		onName: (directory, name) => {
			barrier ??= barrierAt(directory, name, tree(directory));
		},
	});
	return { ...walk, ...tree(walk.path), barrier: barrier ?? (walk.isLoop ? "the path is a loop of symbolic links" : undefined) };
}

/** What keeps a name from being looked up in a directory. One that is missing may be made, so that only what goes up from it is kept. */
function barrierAt(directory: string, name: string, { kind, stats }: BoxNode): string | undefined {
	if (kind === "missing") return name === ".." ? `${directory} does not exist, so that nothing goes up from it` : undefined;
	if (kind !== "directory") return `${directory} is no directory`;
	return name === "" || stats === undefined || permits(stats, MAY.search) ? undefined : byPermissions(directory, stats);
}

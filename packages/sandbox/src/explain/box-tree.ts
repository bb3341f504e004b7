import { dirname } from "node:path";
import { type Box, type BoxMount, hostPath } from "./box.js";
import { type BoxEntry, type BoxNode, hostEntry } from "./box-entry.js";
import { devEntry } from "./dev-files.js";
import { procEntry } from "./proc-files.js";

/** What there is inside, each looked at once and after its directory: a path of a thousand names would be walked a million times. */
export type BoxTree = (path: string) => BoxNode;

/** `cwd` is the script's. Paths of the tree are real ones. It never throws. */
export function boxTree(box: Box, cwd: string): BoxTree {
	const seen = new Map<string, BoxNode>();
	const nodeAt = (path: string): BoxNode => {
		const known = seen.get(path);
		if (known !== undefined) return known;
		const node = look(path, path === "/" ? undefined : nodeAt(dirname(path)), box, cwd);
		seen.set(path, node);
		return node;
	};
	return nodeAt;
}

const OWN_ROOT: BoxMount = { path: "/", kind: "empty", source: "", isWritable: false };

function look(path: string, above: BoxNode | undefined, box: Box, cwd: string): BoxNode {
	const own = box.mounts.get(path);
	const mount = own ?? above?.mount ?? OWN_ROOT;
	if (own === undefined && above !== undefined && above.kind !== "directory") return { mount, kind: "missing" };
	switch (mount.kind) {
		case "bind":
			return { mount, ...hostEntry(hostPath(mount, path)) };
		case "empty":
			return { mount, ...madeEntry(path, box) };
		case "proc":
			return { mount, ...procEntry(path, cwd) };
		case "dev":
			return { mount, ...devEntry(path, box) };
	}
}

function madeEntry(path: string, box: Box): BoxEntry {
	if (box.mounts.has(path) || box.directories.has(path)) return { kind: "directory" };
	const target = box.links.get(path);
	if (target !== undefined) return { kind: "link", target };
	return { kind: box.files.has(path) ? "other" : "missing" };
}

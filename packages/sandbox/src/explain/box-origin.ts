import { isAtOrBelow } from "@robot-lab/core/paths";
import { SYSTEM_DIRECTORIES, SYSTEM_FILES } from "../bubblewrap/system-files.js";
import { homeDirectory } from "../host/home-directory.js";
import type { Box, BoxMount } from "./box.js";
import { originOf, type Surroundings } from "./surroundings.js";

/** A mount in words. */
export interface Origin {
	readonly rule: string;
	/** What it is there for. */
	readonly why: string | undefined;
}

/** What a mount is and what it comes from. */
export function originIn(mount: BoxMount, box: Box, surroundings: Surroundings): Origin {
	return { rule: describe(mount), why: mount.kind === "bind" ? originOfBind(mount, box, surroundings) : undefined };
}

function describe({ path, kind, source, isWritable }: BoxMount): string {
	if (kind === "bind") return `${isWritable ? "writable" : "read-only"} mount of ${source}${source === path ? "" : ` at ${path}`}`;
	if (path === "/") return "the sandbox's own root, which is read-only and holds nothing of the host's";
	return path === homeDirectory() ? "an empty home directory of the run's own" : `an empty ${path} of the run's own`;
}

function originOfBind({ path, isWritable }: BoxMount, box: Box, surroundings: Surroundings): string | undefined {
	const origin = originOf(path, isWritable ? "write" : "read", surroundings);
	if (origin !== undefined) return origin;
	if (SYSTEM_DIRECTORIES.includes(path)) return "the system's own, which every script reads";
	const file = SYSTEM_FILES.find((row) => row.path === path);
	if (file !== undefined) return `every script reads it${file.network === undefined ? "" : " that has the network"}: ${file.why}`;
	const around = [...box.mounts.values()].some((other) => other.isWritable && other.kind === "bind" && isAtOrBelow(path, other.path));
	return around ? "protected inside what fs_write grants" : "what the script's interpreter is made of";
}

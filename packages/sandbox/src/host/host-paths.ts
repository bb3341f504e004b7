import { expandPath, realPath } from "@robot-lab/core/paths";

/** The path, absolute; as it is spelt where that cannot be found out. Never throws. */
export function absoluteOr(path: string): string {
	try {
		return expandPath(path);
	} catch {
		return path;
	}
}

/** Where the path really leads; {@link absoluteOr} of it where nobody can tell. Never throws. */
export function realOr(path: string): string {
	try {
		return realPath(path);
	} catch {
		return absoluteOr(path);
	}
}

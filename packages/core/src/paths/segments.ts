import { isAbsolute } from "node:path";
import { SEPARATORS } from "./separators.js";

/** The names `path` goes through, without empty ones and `.`. The root has none. */
export function segmentsOf(path: string): readonly string[] {
	return path.split(SEPARATORS).filter((segment) => segment !== "" && segment !== ".");
}

/**
 * Whether `path` is `root` or lies beneath it, by whole segments: `/ab` is not below `/a`. Looks at the spelling only, so
 * give it real paths. A path with `..` in it is below nothing, because its spelling does not tell where it leads.
 */
export function isAtOrBelow(path: string, root: string): boolean {
	if (isAbsolute(path) !== isAbsolute(root)) return false;
	const segments = segmentsOf(path);
	const rootSegments = segmentsOf(root);
	if (segments.includes("..") || rootSegments.includes("..")) return false;
	return rootSegments.length <= segments.length && rootSegments.every((segment, index) => segment === segments[index]);
}

import { isAbsolute } from "node:path";
import { SEPARATORS } from "./separators.js";

/** The names `path` goes through, without empty ones and `.`. The root has none. */
export function segmentsOf(path: string): readonly string[] {
	return path.split(SEPARATORS).filter((segment) => segment !== "" && segment !== ".");
}

/** What keeps the spelling of an absolute path from being compared as it is: empty names, `.` and `..`, and what parts names elsewhere. */
const ODD = /\\|\/(\.{0,2})(\/|$)/;

const isPlain = (path: string): boolean => path[0] === "/" && !ODD.test(path);

/**
 * Whether `path` is `root` or lies beneath it, by whole segments: `/ab` is not below `/a`. Looks at the spelling only, so
 * give it real paths. A path with `..` in it is below nothing, because its spelling does not tell where it leads.
 */
export function isAtOrBelow(path: string, root: string): boolean {
	if (isPlain(path) && isPlain(root)) return path.startsWith(root) && (path.length === root.length || path[root.length] === "/");
	if (isAbsolute(path) !== isAbsolute(root)) return false;
	const segments = segmentsOf(path);
	const rootSegments = segmentsOf(root);
	if (segments.includes("..") || rootSegments.includes("..")) return false;
	return rootSegments.length <= segments.length && rootSegments.every((segment, index) => segment === segments[index]);
}

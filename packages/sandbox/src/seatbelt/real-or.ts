import { realPath } from "@robot-lab/core/paths";

/** The real path, or the path as it is spelt where it cannot be found out: a loop of links, a control character. */
export function realOr(path: string): string {
	try {
		return realPath(path);
	} catch {
		return path;
	}
}

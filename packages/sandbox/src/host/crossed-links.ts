import { walkPath } from "./walk-path.js";

/** The symbolic links that a look-up of the absolute `path` crosses, each by the real path of its directory. The part that does not exist crosses none. */
export function crossedLinks(path: string): readonly string[] {
	return walkPath(path).links.map((link) => link.path);
}

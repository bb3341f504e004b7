import { lstatSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/** The symbolic links that a look-up of the absolute `path` crosses, each by the real path of its directory. The part that does not exist crosses none. */
export function crossedLinks(path: string): readonly string[] {
	const links: string[] = [];
	const pending = path.split("/");
	let at = "/";
	while (pending.length > 0 && links.length < MAX_LINKS) {
		const name = pending.shift() ?? "";
		if (name === "" || name === ".") continue;
		if (name === "..") {
			at = dirname(at);
			continue;
		}
		const next = at === "/" ? `/${name}` : `${at}/${name}`;
		const target = linkTarget(next);
		if (target === undefined) {
			at = next;
			continue;
		}
		links.push(next);
		if (target.startsWith("/")) at = "/";
		pending.unshift(...target.split("/"));
	}
	return links;
}

function linkTarget(path: string): string | undefined {
	try {
		return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
	} catch {
		return undefined;
	}
}

/** Names that are symbolic links on every Mac, and where they lead. */
const SYSTEM_LINKS: readonly (readonly [string, string])[] = [
	["/tmp", "/private/tmp"],
	["/var", "/private/var"],
	["/etc", "/private/etc"],
	["/home", "/System/Volumes/Data/home"],
];

/** Places of the data volume that the kernel reports where they are grafted into the root. */
const FIRMLINKS = ["Applications", "Library", "Users", "Volumes", "cores", "opt", "private", "usr/local"];

const DATA_VOLUME = "/System/Volumes/Data";

/**
 * A real path as the kernel of a Mac spells it. On a Mac that is how real paths come already; it matters where a profile
 * is made elsewhere, and where the start of a path does not exist yet.
 */
export function macPath(path: string): string {
	for (const [link, target] of SYSTEM_LINKS) {
		if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
	}
	const grafted = FIRMLINKS.some((name) => path === `${DATA_VOLUME}/${name}` || path.startsWith(`${DATA_VOLUME}/${name}/`));
	return grafted ? path.slice(DATA_VOLUME.length) : path;
}

/**
 * A real path spelt so that two which most Macs take for the same are equal: letters of either case, and however letters with marks are
 * composed. By way of capitals, because some letters have a partner in them alone.
 */
export function sameOnMac(path: string): string {
	return macPath(path).normalize("NFD").toUpperCase().toLowerCase();
}

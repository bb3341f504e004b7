import { lstatSync, readlinkSync, type Stats } from "node:fs";
import type { BoxMount } from "./box.js";

/** What is at a path. */
export interface BoxEntry {
	readonly kind: "directory" | "link" | "other" | "missing";
	/** What a link says. */
	readonly target?: string;
	/** The host's file as it is now, where one is shown. */
	readonly stats?: Stats;
}

/** The same, and what it is mounted from. */
export interface BoxNode extends BoxEntry {
	readonly mount: BoxMount;
}

/** What lies at a path of the host. Never throws. */
export function hostEntry(path: string): BoxEntry {
	try {
		const stats = lstatSync(path, { throwIfNoEntry: false });
		if (stats === undefined) return { kind: "missing" };
		if (stats.isSymbolicLink()) return { kind: "link", target: readlinkSync(path), stats };
		return { kind: stats.isDirectory() ? "directory" : "other", stats };
	} catch {
		return { kind: "missing" };
	}
}

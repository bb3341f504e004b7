import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { isAbsolute, parse } from "node:path";
import { segmentsOf } from "./segments.js";

/** A name that is looked up on the way to a path. */
export interface Step {
	/** Absolute. It may be a link itself; none is on the way to it. */
	readonly path: string;
	/** The directory in which it is looked up. Absent for the root of the file system. */
	readonly directory?: Step;
	/** Of the name itself, not of what a link leads to. Absent where nothing lies there. */
	readonly stats?: Stats;
}

export interface Way {
	/** In the order in which the kernel looks them up. */
	readonly steps: readonly Step[];
	/** Where the way ends, which is no link: there, or at the first thing that is missing or no directory. */
	readonly end: Step;
}

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * Every name that is looked up on the way to an absolute path: those that are spelt in it, and those through which links lead. A real path says
 * nothing of who made the links. Looks at the file system, and throws its errors other than of something missing.
 */
export function wayTo(path: string): Way {
	const top: Step = stepTo(parse(path).root);
	const steps = [top];
	const names = [...segmentsOf(path)];
	let here = top;
	let linksLeft = MAX_LINKS;
	for (let name = names.shift(); name !== undefined && here.stats?.isDirectory() === true; name = names.shift()) {
		if (name === "..") {
			here = here.directory ?? top;
			continue;
		}
		const next = stepTo(`${here === top ? here.path : `${here.path}/`}${name}`, here);
		steps.push(next);
		if (next.stats?.isSymbolicLink() !== true) {
			here = next;
			continue;
		}
		if (linksLeft-- === 0) throw Object.assign(new Error(`ELOOP: too many links on the way to ${path}`), { code: "ELOOP" });
		const target = readlinkSync(next.path);
		if (isAbsolute(target)) here = top;
		names.unshift(...segmentsOf(target));
	}
	return { steps, end: here };
}

function stepTo(path: string, directory?: Step): Step {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	return { path, ...(directory && { directory }), ...(stats && { stats }) };
}

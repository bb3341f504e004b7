import { segmentsOf } from "@robot-lab/core/paths";

/** Real, absolute paths that a script may use. */
export interface AccessRequest {
	readonly read: Iterable<string>;
	/** Writing includes reading: neither a bind mount nor a person who asks for it knows write-only directories. */
	readonly write: Iterable<string>;
}

export interface AccessStep {
	readonly path: string;
	/** What holds at the path and below it, up to a deeper step. */
	readonly access: "read" | "write";
	/** What held before this step. */
	readonly within: "nothing" | "read" | "write";
}

/**
 * What is accessible, as steps from shallow to deep, each changing what the one around it said. The same request in any
 * order gives the same steps.
 *
 * A path asked for in both ways is writable. A path to read inside one to write stays read-only.
 */
export function planAccess(request: AccessRequest): readonly AccessStep[] {
	const access = new Map<string, "read" | "write">();
	for (const path of request.read) access.set(path, "read");
	for (const path of request.write) access.set(path, "write");
	const steps = new Map<string, AccessStep>();
	for (const path of shallowFirst(access.keys())) {
		const wanted = access.get(path) ?? "read";
		const around = ancestorsOf(path).findLast((above) => steps.has(above));
		const within = (around === undefined ? undefined : steps.get(around)?.access) ?? "nothing";
		if (wanted !== within) steps.set(path, { path, access: wanted, within });
	}
	return [...steps.values()];
}

/** Directories above a read-only island in a writable place. Renaming one would carry the island to where it is writable. */
export function waysToReadOnly(steps: readonly AccessStep[]): readonly string[] {
	const islands = steps.filter((step) => step.access === "read" && step.within === "write");
	return waysTo(
		islands.map((island) => island.path),
		steps,
	);
}

/** Directories above `paths` from the outermost writable one on. */
export function waysTo(paths: readonly string[], steps: readonly AccessStep[]): readonly string[] {
	const writable = new Set(steps.filter((step) => step.access === "write").map((step) => step.path));
	const ways = paths.flatMap((path) => {
		const above = ancestorsOf(path);
		const outermost = above.findIndex((directory) => writable.has(directory));
		return outermost === -1 ? [] : above.slice(outermost);
	});
	return shallowFirst(new Set(ways));
}

/** Every directory above `path`, the root first. The root has none. */
export function ancestorsOf(path: string): readonly string[] {
	const segments = segmentsOf(path);
	return segments.map((_, index) => `/${segments.slice(0, index).join("/")}`);
}

/** Fewest segments first, then by bytes: an order that does not depend on the input's or on a locale. */
export function shallowFirst(paths: Iterable<string>): readonly string[] {
	const keyed = Array.from(paths, (path) => ({ path, depth: segmentsOf(path).length }));
	keyed.sort((a, b) => a.depth - b.depth || Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
	return keyed.map(({ path }) => path);
}

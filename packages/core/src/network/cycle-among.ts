/**
 * The first cycle among tasks: names in order, each waiting for the next, the first once more at the end. Names that are no key wait for
 * nobody here. Without recursion: a chain may be as long as it likes.
 *
 * @param dependencies What each waits for.
 */
export function cycleAmong(dependencies: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
	const finished = new Set<string>();
	for (const start of dependencies.keys()) {
		const cycle = finished.has(start) ? undefined : cycleFrom(start, dependencies, finished);
		if (cycle !== undefined) return cycle;
	}
	return undefined;
}

function cycleFrom(
	start: string,
	dependencies: ReadonlyMap<string, readonly string[]>,
	finished: Set<string>,
): readonly string[] | undefined {
	const path = new Set<string>();
	const stack: { readonly name: string; readonly remaining: Iterator<string> }[] = [];
	const enter = (name: string): void => {
		path.add(name);
		stack.push({ name, remaining: (dependencies.get(name) ?? []).values() });
	};
	enter(start);
	for (let here = stack.at(-1); here !== undefined; here = stack.at(-1)) {
		const next = here.remaining.next();
		if (next.done) {
			stack.pop();
			path.delete(here.name);
			finished.add(here.name);
		} else if (path.has(next.value)) {
			const way = [...path];
			return [...way.slice(way.indexOf(next.value)), next.value];
		} else if (!finished.has(next.value)) enter(next.value);
	}
	return undefined;
}

/** Freezes plain data that nobody else holds, to the bottom. In a loop: it may be nested deeper than the stack. */
export function freezeWhole(value: unknown): void {
	const open = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next !== "object" || next === null) continue;
		for (const entry of Object.values(next)) open.push(entry);
		Object.freeze(next);
	}
}

/** A frozen record of names that may be anything, `__proto__` included, and that holds nothing else: no name finds what every object has. */
export function recordOf<Value>(entries: Iterable<readonly [name: string, value: Value]>): Readonly<Record<string, Value>> {
	const record: Record<string, Value> = Object.create(null);
	for (const [name, value] of entries) record[name] = value;
	return Object.freeze(record);
}

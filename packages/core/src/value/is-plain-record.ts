/** Whether a value is a record that somebody wrote down, of another realm too, and no instance of a class: those have no entries of their own, as a Map. */
export function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	if (typeof value !== "object" || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

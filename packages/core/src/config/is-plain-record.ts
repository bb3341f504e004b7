/** Whether a value has names with something below each. By its tag: a Map has none, and a record may be of another realm. */
export const isPlainRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	Object.prototype.toString.call(value) === "[object Object]";

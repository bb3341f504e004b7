/** What was warned of already. Of the module: a host with two copies of it is warned twice, which is better than not at all. */
const warned = new Set<string>();

/** Emits a process warning, once in the life of the process for each `key`. */
export function warnOnce(key: string, message: string, code: string): void {
	if (warned.has(key)) return;
	warned.add(key);
	process.emitWarning(message, { code });
}

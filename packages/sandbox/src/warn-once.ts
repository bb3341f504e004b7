/** On `globalThis`: two copies of this package are one process, and the process is warned once. */
const KEY: unique symbol = Symbol.for("@robot-lab/sandbox/warned/v1") as never;

/** Emits a process warning, the first time `code` comes up in this process. */
export function warnOnce(code: string, message: string): void {
	const holder = globalThis as { [KEY]?: Set<string> };
	holder[KEY] ??= new Set();
	if (holder[KEY].has(code)) return;
	holder[KEY].add(code);
	process.emitWarning(message, { type: "RobotLabWarning", code });
}

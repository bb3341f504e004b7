/** On `globalThis`: two copies of this package are one process, and the process is warned once. */
const KEY: unique symbol = Symbol.for("@robot-lab/sandbox/warned/v1") as never;

/** Whether `code` has come up in this process. */
export function hasWarned(code: string): boolean {
	return warned().has(code);
}

/** Emits a process warning, the first time `code` comes up in this process. */
export function warnOnce(code: string, message: string): void {
	if (hasWarned(code)) return;
	warned().add(code);
	process.emitWarning(message, { type: "RobotLabWarning", code });
}

function warned(): Set<string> {
	const holder = globalThis as { [KEY]?: Set<string> };
	holder[KEY] ??= new Set();
	return holder[KEY];
}

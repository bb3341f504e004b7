import { ConfigurationError } from "../errors/configuration-error.js";
import type { ScriptExecutor } from "./script-executor.js";

/** One installed executor. An object of its own per installation, so that giving one up does not give up another's. */
interface Installation {
	readonly executor: ScriptExecutor;
}

/** On `globalThis`: as a variable of this module, a second copy of the package would have a slot of its own and run scripts unconfined. */
const KEY: unique symbol = Symbol.for("@robot-lab/core/script-executors/v1") as never;

function installations(): Installation[] {
	const holder = globalThis as { [KEY]?: Installation[] };
	holder[KEY] ??= [];
	return holder[KEY];
}

export function installedExecutor(): ScriptExecutor | undefined {
	return installations().at(-1)?.executor;
}

/**
 * Installs `executor`, or empties the slot. One of the installed one's name takes its place: a second copy of a package
 * registers again. Throws a ConfigurationError for one of another name, and for something that is no executor.
 */
export function installExecutor(executor: ScriptExecutor | undefined): void {
	const slot = installations();
	if (executor === undefined) {
		slot.length = 0;
		return;
	}
	assertExecutor(executor);
	const current = slot.at(-1)?.executor;
	if (current !== undefined && current.name !== executor.name) {
		throw new ConfigurationError(
			`ScriptTool.executor is already "${current.name}"; "${executor.name}" was not installed. ` +
				"Use ScriptTool.replaceExecutor() to put it in its place, or set ScriptTool.executor to undefined first.",
		);
	}
	slot.splice(-1, 1, { executor });
}

/** Installs `executor` over whatever is there until it is disposed of; the latest one that is left counts then. */
export function replaceExecutor(executor: ScriptExecutor): Disposable {
	assertExecutor(executor);
	const slot = installations();
	const installation: Installation = { executor };
	slot.push(installation);
	return {
		[Symbol.dispose]: () => {
			const index = slot.indexOf(installation);
			if (index !== -1) slot.splice(index, 1);
		},
	};
}

function assertExecutor(value: unknown): asserts value is ScriptExecutor {
	const { specificationVersion, name, run } = (typeof value === "object" && value !== null ? value : {}) as Partial<ScriptExecutor>;
	if (typeof run !== "function" || typeof name !== "string" || name === "") {
		throw new ConfigurationError("ScriptTool.executor must be an object with specificationVersion, name and run(command, options).");
	}
	if (specificationVersion !== "v1") {
		throw new ConfigurationError(
			`The executor "${name}" has specification version ${JSON.stringify(specificationVersion) ?? "none"}; this version of @robot-lab/core takes "v1". Install versions of both packages that fit.`,
		);
	}
}

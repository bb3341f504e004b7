import { config } from "../config/configure.js";
import type { ScriptOptions } from "./script-executor.js";

/** Where a script runs and what every executor tells it. */
export interface ScriptSurroundings {
	readonly cwd: string;
	/**
	 * `SKILL_DIR` and, as other agents call it, `CLAUDE_SKILL_DIR`: the bundle's directory; `WORK_DIR`, the host process's; one that
	 * keeps Python from leaving what it compiled in a bundle, which would not be what was approved and locked any more; and the caller's own, which have
	 * the last word.
	 */
	readonly variables: Readonly<Record<string, string>>;
}

/** Throws the system's error when the host process's own directory has been deleted. */
export function scriptSurroundings(options: Pick<ScriptOptions, "skillDir" | "cwd" | "env">): ScriptSurroundings {
	const workDir = process.cwd();
	const usual = config().scripts.cwd === "skill" ? options.skillDir : workDir;
	const { skillDir } = options;
	const variables = { SKILL_DIR: skillDir, CLAUDE_SKILL_DIR: skillDir, WORK_DIR: workDir, PYTHONDONTWRITEBYTECODE: "1" };
	return { cwd: options.cwd ?? usual, variables: { ...variables, ...options.env } };
}

import type { Capabilities } from "../capability/capabilities.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import type { Approve } from "./approval-request.js";
import { checkLock, type SkillLock } from "./skill-lock.js";

export interface ApprovalOptions {
	/** Is asked before the first script of a bundle runs that nobody approved as it is. Left out: only the lock decides. */
	readonly approve?: Approve | undefined;
	/**
	 * Bundles that are not as it says, or that it should have and has not, do not run, whatever was or would be approved: it should have all, or where it has
	 * `roots` those in them. It lets nothing run by itself where `approve` is given; without it, what the lock does not deny runs unasked.
	 */
	readonly lock?: SkillLock | undefined;
	/** The directory where `always` is kept. Nobody else may be able to write there. Default `~/.local/state/robot_lab/approvals`. */
	readonly store?: string | undefined;
}

/** The part of a skill that counts here. */
export interface ApprovableSkill {
	readonly name: string;
	readonly path: string;
	readonly capabilities: Capabilities;
	/** What its SKILL.md asks for, where the host granted something in its place. Default: its capabilities. */
	readonly declared?: Capabilities;
}

/** A script that is about to run. */
export interface ScriptCall {
	/** The name of its tool. */
	readonly tool: string;
	readonly input: unknown;
}

const OPTIONS: readonly (keyof ApprovalOptions)[] = ["approve", "lock", "store"];

/** Throws a ConfigurationError for options that are unknown or none, and where neither `approve` nor `lock` decides. */
export function checkApprovalOptions(what: string, options: ApprovalOptions): void {
	checkNames(what, options, OPTIONS);
	const { approve, lock, store } = options;
	if (approve !== undefined && typeof approve !== "function")
		throw new ConfigurationError(`${what} takes as approve a function, got ${describeValue(approve)}.`);
	checkLock(what, lock);
	if (store !== undefined && (typeof store !== "string" || store === ""))
		throw new ConfigurationError(`${what} takes as store the path of a directory, got ${describeValue(store)}.`);
	if (approve === undefined && lock === undefined)
		throw new ConfigurationError(`${what} needs approve, a function that decides, or lock, what may run.`);
}

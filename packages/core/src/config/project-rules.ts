import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { segmentsOf } from "../paths/segments.js";
import { DEFAULTS } from "./resolve.js";

/** Whether a project's file may set `value` where `lower` would hold without it. */
type Rule = (value: unknown, lower: unknown) => boolean;

const free: Rule = () => true;
const never: Rule = () => false;
const orSame =
	(rule: Rule): Rule =>
	(value, lower) =>
		isDeepStrictEqual(value, lower) || rule(value, lower);
const only = (word: unknown): Rule => orSame((value) => value === word);
const atMost: Rule = (value, lower) => lower === undefined || (value as number) <= (lower as number);
/** By spelling: what a path leads to may be another thing tomorrow, and the project decides about links in it. */
const noMore: Rule = (value, lower) => (value as readonly unknown[]).every((entry) => (lower as readonly unknown[]).includes(entry));
/** A backend that is named and cannot be had is a refusal, so that naming one confines no less. */
const stricter: Rule = orSame((value, lower) => lower === "none" || (lower === "auto" && value !== "none"));

/** Nearer levels may still say otherwise, but those are the user's code. */
const narrower: Rule = orSame((value, lower = "inherit") => {
	const isNone = value === "none" || (Array.isArray(value) && value.length === 0);
	return isNone || (lower === "inherit" ? true : Array.isArray(value) && Array.isArray(lower) && noMore(value, lower));
});

/** Its own directories, where the user named none: what lies elsewhere is no prompt of the project's, and may be private. */
const ownDirectory: Rule = (value, lower) => {
	const [first, ...rest] = segmentsOf(value as string);
	return lower === DEFAULTS.templatePath && !isAbsolute(value as string) && first !== "~" && ![first, ...rest].includes("..");
};

/**
 * What a project's file may set that nobody said is trusted: what confines scripts more and never less. It may have come with something
 * that was downloaded a minute ago.
 *
 * `trust_core` is not for it in either direction: sandbox lets nothing be written where bundles may be trusted, and with a shorter list
 * a script could put one there that is trusted in the next project.
 */
export const PROJECT_RULES: Readonly<Record<string, Rule>> = {
	"sandbox.enabled": only(true),
	"sandbox.fs_read": noMore,
	"sandbox.fs_write": noMore,
	"sandbox.network": only(false),
	"sandbox.timeout": atMost,
	"sandbox.backend": stricter,
	"sandbox.require": only(true),
	"sandbox.protect": only(true),
	"sandbox.trust_core": never,
	"sandbox.env": only("scrub"),
	"sandbox.env_pass": noMore,
	"sandbox.limits.memory_mb": atMost,
	"sandbox.limits.processes": atMost,
	"sandbox.limits.file_size_mb": atMost,
	"sandbox.limits.cpu_seconds": atMost,
	"sandbox.limits.output_bytes": atMost,
	"scripts.cwd": free,
	"scripts.require_executable": only(true),
	"scripts.max_model_bytes": free,
	"scripts.nested": only(false),
	// It would install and run what the network sends.
	"scripts.pep723": only("off"),
	"skills.roots": never,
	"skills.discover": only(false),
	"skills.validation": only("strict"),
	"skills.activation": free,
	// It would run a package's code.
	"skills.embedder": never,
	"skills.top_k": free,
	"skills.candidates": free,
	"skills.max_bytes": free,
	"skills.grants": never,
	model: free,
	template_path: ownDirectory,
	// It would start a program.
	mcp_servers: never,
	mcp: narrower,
	tools: narrower,
};

/** Whether a project's file that is not trusted may set this. What has no rule it may not. */
export function mayProjectSet(name: string, value: unknown, lower: unknown): boolean {
	return Object.hasOwn(PROJECT_RULES, name) && (PROJECT_RULES[name] ?? never)(value, lower);
}

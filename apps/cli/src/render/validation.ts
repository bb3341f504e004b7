import { relative } from "node:path";
import type { SkillDiagnostic } from "@robot-lab/core";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

const LONGEST_MESSAGE = 600;
const LONGEST_PATH = 300;

/** One line for each diagnostic, as editors and people follow it: `file:line: error rule: what is wrong and what to do`. */
export function renderValidation(diagnostics: readonly SkillDiagnostic[], style: Style, directory: string): string[] {
	return diagnostics.map(({ severity, code, message, path, line }) => {
		const place = `${printableLine(shown(path, directory), LONGEST_PATH)}${line === undefined ? "" : `:${line}`}`;
		const word = severity === "error" ? style.bad(severity) : style.warning(severity);
		return `${style.name(place)}: ${word} ${code}: ${printableLine(message, LONGEST_MESSAGE)}`;
	});
}

/** How many there were, of what. */
export function validationSummary(bundles: number, diagnostics: readonly SkillDiagnostic[], mode: string, style: Style): string {
	const errors = diagnostics.filter(({ severity }) => severity === "error").length;
	const warnings = diagnostics.length - errors;
	const counts = [
		errors > 0 ? style.bad(counted(errors, "error")) : style.good("no errors"),
		warnings > 0 ? style.warning(counted(warnings, "warning")) : "no warnings",
	];
	return `${counted(bundles, "skill")}, ${mode}: ${counts.join(", ")}.`;
}

/** Below the working directory as it is seen from there. */
function shown(path: string, directory: string): string {
	const from = relative(directory, path);
	return from === "" || from.startsWith("..") ? path : from;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

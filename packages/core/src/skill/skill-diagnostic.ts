/** Something about a bundle that its author or its user can mend. */
export interface SkillDiagnostic {
	/** `error`: something was left out, a bundle, a root or the scripts of a bundle. `warning`: everything else. */
	readonly severity: "error" | "warning";
	/** Which rule, a stable word, e.g. `"skill_invalid"`, `"skill_shadowed"`, `"script_not_executable"`. */
	readonly code: string;
	/** What is wrong and what to do, in one line. */
	readonly message: string;
	/** The file or directory it is about, absolute. */
	readonly path: string;
	/** The line of that file, from 1, where there is one. */
	readonly line?: number;
}

/** A warning about a whole file or directory. */
export const warning = ({ code, message, path }: Pick<SkillDiagnostic, "code" | "message" | "path">): SkillDiagnostic =>
	Object.freeze({ severity: "warning", code, message, path });

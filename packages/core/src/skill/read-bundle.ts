import { basename } from "node:path";
import type { Instructions } from "./instructions.js";
import { judgeSkill } from "./judge-skill.js";
import { readSkillFile } from "./read-skill-file.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import type { SkillFields } from "./skill-fields.js";
import { SkillInvalidError } from "./skill-invalid-error.js";
import type { ValidationMode } from "./validation-mode.js";

/** A SKILL.md that was read, and where. */
export interface Bundle {
	readonly skillMdPath: string;
	readonly directory: string;
	readonly frontMatter: Readonly<Record<string, unknown>>;
	readonly fields: SkillFields & { readonly diagnostics: readonly SkillDiagnostic[] };
	readonly instructions: Instructions;
}

/**
 * Reads one SKILL.md. Rejects with a SkillInvalidError, whose message does not name the file, where it cannot be used, or with the file
 * system's error, or with a LeadsOutError where the file lies outside of `within`.
 */
export async function readBundle(skillMdPath: string, directory: string, mode: ValidationMode, within?: string): Promise<Bundle> {
	const bytes = readSkillFile(skillMdPath, within);
	const { skill, diagnostics, flaw } = await judgeSkill(bytes, { path: skillMdPath, directoryName: basename(directory) }, mode);
	if (skill === undefined) throw new SkillInvalidError(summary(diagnostics, mode), diagnostics, { cause: flaw?.cause ?? flaw });
	return { skillMdPath, directory, ...skill, fields: { ...skill.fields, diagnostics } };
}

/** The first error, and that there are more. */
function summary(diagnostics: readonly SkillDiagnostic[], mode: ValidationMode): string {
	const [first, ...others] = diagnostics.filter(({ severity }) => severity === "error");
	const message = first?.message ?? "";
	const sentence = /^(?:It|Its|The|Line) /.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message;
	if (others.length === 0) return sentence;
	return `${sentence} ${others.length} more ${others.length === 1 ? "flaw keeps" : "flaws keep"} it from being loaded (validation: ${mode}).`;
}

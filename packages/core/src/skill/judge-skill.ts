import { FrontMatterFlaw } from "../markdown/front-matter-flaw.js";
import type { Finding } from "./finding.js";
import type { Instructions } from "./instructions.js";
import type { ParsedSkillFile } from "./parse-skill-file.js";
import { readSkillText, type SkillText } from "./read-skill-text.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { judgeFields, type SkillFields } from "./skill-fields.js";
import type { ValidationMode } from "./validation-mode.js";

/** What the text of a SKILL.md came to. */
export interface JudgedSkill {
	/** Absent where it cannot be loaded: there is an error among the diagnostics then, and in no other case. */
	readonly skill?: {
		readonly fields: SkillFields;
		readonly frontMatter: Readonly<Record<string, unknown>>;
		readonly instructions: Instructions;
	};
	/** By line. */
	readonly diagnostics: readonly SkillDiagnostic[];
	/** The parser's error, where the front matter could not be read. */
	readonly flaw?: FrontMatterFlaw;
}

/** Where the text stands, or will stand. */
export interface SkillPlace {
	/** Of the SKILL.md, for the diagnostics. */
	readonly path: string;
	/** Which the name must be the same as. `undefined`: it is not known yet, and the name is not compared. */
	readonly directoryName: string | undefined;
}

const MAX_BODY_LINES = 500;
const NONE: readonly SkillDiagnostic[] = Object.freeze([]);

/** Reads the text of a SKILL.md and holds it to the standard. Runs nothing that is in it. Never rejects for what it says. */
export async function judgeSkill(text: SkillText, place: SkillPlace, mode: ValidationMode): Promise<JudgedSkill> {
	let parsed: ParsedSkillFile;
	try {
		parsed = await readSkillText(text, mode);
	} catch (error) {
		if (!FrontMatterFlaw.isInstance(error)) throw error;
		const message = error.message.charAt(0).toUpperCase() + error.message.slice(1);
		return { diagnostics: [diagnosticOf({ severity: "error", code: error.rule, message }, place.path, error.line)], flaw: error };
	}
	const { frontMatter, instructions, quoted } = parsed;
	const { fields, findings } = judgeFields(frontMatter.values, place.directoryName, mode);
	const diagnostics = [
		...quoted.map(({ key, line }) => diagnosticOf(quotesMissing(key), place.path, line)),
		...[...findings, ...bodyFindings(instructions, mode)].map((finding) =>
			diagnosticOf(finding, place.path, lineOf(finding, frontMatter.lineOf)),
		),
	].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
	const isBroken = diagnostics.some(({ severity }) => severity === "error");
	if (fields === undefined || isBroken) return { diagnostics };
	return { skill: { fields, frontMatter: frontMatter.values, instructions }, diagnostics: diagnostics.length === 0 ? NONE : diagnostics };
}

const quotesMissing = (key: string): Finding => ({
	severity: "warning",
	code: "value_unquoted",
	message: `The value of ${key} contains ": " and has no quotes, which is no valid YAML; it is read as if it had. Put it in quotes.`,
});

/** The standard asks for less than 500 lines, and has no rule for it. */
function bodyFindings(instructions: Instructions, mode: ValidationMode): readonly Finding[] {
	if (mode === "lenient") return [];
	const length = instructions.text.split("\n").length;
	if (length <= MAX_BODY_LINES) return [];
	const message = `The instructions have ${length} lines; the Agent Skills standard advises ${MAX_BODY_LINES} at most, since a model reads all of them. Move parts into files of the bundle.`;
	return [{ severity: "warning", code: "body_long", message }];
}

/** What is missing is told at the first fence, below which it belongs. */
function lineOf({ code, key, below }: Finding, known: ParsedSkillFile["frontMatter"]["lineOf"]): number | undefined {
	if (key === undefined) return code.endsWith("_missing") ? 1 : undefined;
	return (below === undefined ? undefined : known(key, below)) ?? known(key);
}

function diagnosticOf({ severity, code, message }: Finding, path: string, line: number | undefined): SkillDiagnostic {
	return Object.freeze({ severity, code, message, path, ...(line !== undefined && { line }) });
}

import { join, relative, sep } from "node:path";
import type { ScriptInspection } from "../script/inspect-script.js";
import { parseParameters } from "../script/parse-parameters.js";
import type { ParameterDeclaration } from "../script/script-parameters.js";
import { PLAIN_ARGUMENTS } from "../script/script-to-tool.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";

/** A key of a skill's metadata begins so, and goes on with a script's name as it is below `scripts/`. */
const PREFIX = "robot-lab.parameters.";
const NO_TAGS = "It has no @option, @flag, @arg or @input.";

interface Declarer {
	/** The bundle's directory. */
	readonly path: string;
	readonly metadata: Readonly<Record<string, unknown>>;
}

/** Scripts with what counts of their declarations, and what does not count and why. */
export interface DeclaredScripts {
	readonly inspections: readonly ScriptInspection[];
	readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Takes in what a skill's metadata declares of its scripts: it stands in the place of what their comments say, also where it cannot be read, and then
 * nothing is declared.
 */
export function withMetadataParameters(inspections: readonly ScriptInspection[], { path, metadata }: Declarer): DeclaredScripts {
	const nameOf = (script: ScriptInspection): string => relative(join(path, "scripts"), script.path).replaceAll(sep, "/");
	const names = inspections.filter(({ kind }) => kind !== "other").map(nameOf);
	const declarations = new Map<string, ParameterDeclaration>();
	const diagnostics: SkillDiagnostic[] = [];
	for (const [key, text] of Object.entries(metadata)) {
		if (!key.startsWith(PREFIX)) continue;
		const name = key.slice(PREFIX.length);
		const declaration = declarationIn(text);
		declarations.set(name, declaration);
		const messages = names.includes(name)
			? flaws(declaration).map(({ message, line }) => `line ${line}: ${message} ${PLAIN_ARGUMENTS}`)
			: [`there is no such script in scripts/.${didYouMean(name, names)}`];
		diagnostics.push(...messages.map((message) => malformed(`metadata ${describeValue(key)}, ${message}`, join(path, "SKILL.md"))));
	}
	const declared = inspections.map((inspection): ScriptInspection => {
		if (inspection.kind !== "script") return inspection;
		const declaration = declarations.get(nameOf(inspection));
		if (declaration !== undefined) return { ...inspection, declaration };
		const own = inspection.declaration === undefined ? [] : flaws(inspection.declaration);
		diagnostics.push(...own.map(({ message, line }) => malformed(`${message} ${PLAIN_ARGUMENTS}`, inspection.path, line)));
		return inspection;
	});
	return { inspections: declared, diagnostics };
}

const flaws = (declaration: ParameterDeclaration) => (declaration.ok ? [] : declaration.flaws);

const malformed = (message: string, path: string, line?: number): SkillDiagnostic =>
	Object.freeze({ severity: "warning", code: "script_parameters_malformed", message, path, ...(line !== undefined && { line }) });

function declarationIn(text: unknown): ParameterDeclaration {
	const flaw = (message: string): ParameterDeclaration => ({ ok: false, flaws: [{ message, line: 1 }] });
	if (typeof text !== "string") return flaw(`It must be a text of tags, one a line, not ${describeValue(text)}.`);
	const paragraphs = text.split(/\n[ \t\r]*\n/).map((paragraph) => paragraph.split("\n").map((line) => line.trim()));
	return parseParameters(paragraphs, text) ?? flaw(NO_TAGS);
}

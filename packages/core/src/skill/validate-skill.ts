import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Capabilities } from "../capability/capabilities.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { misnamed } from "./discovery-flaws.js";
import { judgeSkill } from "./judge-skill.js";
import { readFailure } from "./read-failure.js";
import { readTrusted } from "./read-trusted.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { SkillInvalidError } from "./skill-invalid-error.js";
import { skillPath } from "./skill-path.js";
import { diagnoseNeeds, listScripts, readScripts } from "./skill-scripts.js";
import { type ValidationMode, validationMode } from "./validation-mode.js";

/** What {@link validateSkill} holds a bundle to. */
export interface ValidateSkillOptions {
	/** `strict`: to the letter of the Agent Skills standard. `lenient`: to what its guide for clients asks. Default `config().skills.validation`. */
	readonly validation?: ValidationMode;
}

/** What {@link validateSkillText} holds a text to. */
export interface ValidateSkillTextOptions extends ValidateSkillOptions {
	/** The name of the directory that the SKILL.md will lie in, which must be the skill's own. Default: the two are not compared. */
	readonly directoryName?: string;
}

const SKILL_FILE = "SKILL.md";

/**
 * Says what is wrong with a bundle: its SKILL.md by the Agent Skills standard, its scripts by whether they become tools and
 * find here what they need. Runs nothing of it.
 * Where an error is among the diagnostics, AgentSkill.load with the same `validation` refuses the bundle, or some of its scripts are no tools. Never rejects
 * for what is on the disk, also where there is nothing.
 *
 * @param path The bundle's directory, or its SKILL.md; `~` is expanded.
 * @throws ConfigurationError where `path` is none, or an option is unknown.
 */
export async function validateSkill(path: string | URL, options: ValidateSkillOptions = {}): Promise<readonly SkillDiagnostic[]> {
	const given = skillPath(path, "validate a skill at", "give the path of its directory or of its SKILL.md");
	checkNames("validateSkill()", options, ["validation"]);
	const mode = validationMode("validateSkill()", "validation", options.validation);
	const names: readonly string[] | undefined = await readdir(given).catch(({ code }) => (code === "EACCES" ? [] : undefined));
	const other = names?.includes(SKILL_FILE) ? undefined : names?.find((name) => name.toUpperCase() === SKILL_FILE.toUpperCase());
	if (other !== undefined) return Object.freeze([Object.freeze({ ...misnamed(join(given, other)), severity: "error" })]);
	return Object.freeze(await validateFile(names === undefined ? given : join(given, SKILL_FILE), mode));
}

async function validateFile(file: string, mode: ValidationMode): Promise<readonly SkillDiagnostic[]> {
	try {
		const { directory, fields } = await readTrusted(file, mode);
		return [...fields.diagnostics, ...(await scriptDiagnostics({ path: directory, ...fields }))];
	} catch (error) {
		if (SkillInvalidError.isInstance(error)) {
			const unknown = { path: dirname(file), capabilities: new Capabilities(), metadata: {} };
			return [...error.diagnostics, ...(await scriptDiagnostics(unknown))];
		}
		const reason = readFailure(error);
		const message = reason.charAt(0).toUpperCase() + reason.slice(1);
		return [Object.freeze({ severity: "error", code: "file_unreadable", message, path: file })];
	}
}

async function scriptDiagnostics(skill: Parameters<typeof readScripts>[1]): Promise<readonly SkillDiagnostic[]> {
	const scripts = await readScripts(listScripts(skill.path), skill);
	return [...scripts.diagnostics, ...(await diagnoseNeeds([{ inspections: scripts.inspections, capabilities: skill.capabilities }]))];
}

/**
 * Says what is wrong with the text of a SKILL.md that is not written yet. Where an error is among the diagnostics, AgentSkill.load with the
 * same `validation` would refuse it. Runs nothing of it, and looks at no disk. The diagnostics' path is `SKILL.md`, below the directory's name where
 * one is given.
 *
 * @throws ConfigurationError where `text` is no text, or an option is unknown. Never rejects for what it says.
 */
export async function validateSkillText(text: string, options: ValidateSkillTextOptions = {}): Promise<readonly SkillDiagnostic[]> {
	if (typeof text !== "string")
		throw new ConfigurationError(`validateSkillText() takes the text of a SKILL.md, got ${describeValue(text)}.`);
	checkNames("validateSkillText()", options, ["directoryName", "validation"]);
	const { directoryName } = options;
	if (directoryName !== undefined && typeof directoryName !== "string") {
		throw new ConfigurationError(
			`validateSkillText() takes the name of a directory as directoryName, got ${describeValue(directoryName)}.`,
		);
	}
	const path = directoryName === undefined ? SKILL_FILE : join(directoryName, SKILL_FILE);
	const mode = validationMode("validateSkillText()", "validation", options.validation);
	const { diagnostics } = await judgeSkill(text, { path, directoryName }, mode);
	return Object.freeze([...diagnostics]);
}

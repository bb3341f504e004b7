import { basename, extname, relative } from "node:path";
import { type AgentSkill, inspectScript, ScriptTool } from "@robot-lab/core";
import { beginningOf } from "./beginning.js";
import { junkOf } from "./junk.js";

/** A file directly in `scripts/` of a bundle. */
export interface MeasuredScript {
	/** Below the collection's bundle, with its name in front. */
	readonly file: string;
	/** What it is taken for when any file with an interpreter is a script. */
	readonly kind: "script" | "unusable" | "other";
	/** The program that reads it, without a directory. Absent for what is no script. */
	readonly interpreter?: string;
	readonly description?: string;
	/** What is wrong with the description. */
	readonly junk?: string;
	/** It says nothing of itself, and its tool is described by its name. */
	readonly isNameOnly: boolean;
	readonly hasInlineMetadata: boolean;
	/** Its first line and its extension say different things: to be looked at by a person. */
	readonly disagrees: boolean;
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
	".py": "python",
	".sh": "sh",
	".js": "node",
	".mjs": "node",
	".cjs": "node",
	".ps1": "pwsh",
};

/** Looks at the scripts of a skill under the present configuration. */
export async function measureScripts(skill: AgentSkill): Promise<readonly MeasuredScript[]> {
	return Promise.all((await skill.scripts()).map((path) => measureScript(skill, path)));
}

async function measureScript(skill: AgentSkill, path: string): Promise<MeasuredScript> {
	const inspection = await inspectScript(path);
	const file = `${basename(skill.path)}/${relative(skill.path, path)}`;
	if (inspection.kind !== "script") return { file, kind: inspection.kind, isNameOnly: false, hasInlineMetadata: false, disagrees: false };
	const { description, command, inlineMetadata } = inspection;
	const interpreter = basename(command.at(0) ?? "");
	const text = await beginningOf(path);
	const derivedName = ScriptTool.deriveName(path);
	const junk = junkOf({ description, derivedName, text });
	const byExtension = BY_EXTENSION[extname(path).toLowerCase()];
	return {
		file,
		kind: "script",
		interpreter,
		description,
		...(junk !== undefined && { junk }),
		isNameOnly: description === derivedName,
		hasInlineMetadata: inlineMetadata !== undefined,
		disagrees: text.startsWith("#!") && (byExtension === undefined || !interpreter.includes(byExtension)),
	};
}

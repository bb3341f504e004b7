import type { AgentSkill } from "../skill/agent-skill.js";
import { createTool } from "../tool/create-tool.js";
import type { Tool } from "../tool/tool.js";
import { readSkillFile } from "./skill-files.js";

export const READ_SKILL_FILE = "read_skill_file";

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_CHARACTERS = 32 * 1024;

interface Arguments {
	readonly skill: string;
	readonly path: string;
	readonly from_line?: number;
}

/** A tool that reads files of some skills: 32 Ki characters at a time, of the first MiB. Nothing outside of their bundles. */
export function readSkillFileTool(skills: readonly AgentSkill[]): Tool {
	const byName = new Map(skills.map((skill) => [skill.name, skill]));
	return createTool<Arguments>({
		name: READ_SKILL_FILE,
		description: "Reads a text file of a skill that its instructions name, such as references/guide.md. The path is relative to the skill.",
		parameters: {
			type: "object",
			properties: {
				skill: { type: "string", enum: [...byName.keys()] },
				path: { type: "string", description: "Relative to the skill's directory." },
				from_line: { type: "integer", minimum: 1, description: "The first line to read. Default: 1." },
			},
			required: ["skill", "path"],
			additionalProperties: false,
		},
		execute: async ({ skill, path, from_line: fromLine = 1 }) => {
			const read = await readSkillFile(byName.get(skill) as AgentSkill, path, MAX_FILE_BYTES);
			if (!read.ok) throw new Error(read.message);
			const text = textOf(read.bytes);
			if (text === undefined) throw new Error(`Cannot read ${JSON.stringify(path)}: it is no text (${read.size} bytes).`);
			return excerpt(text, fromLine, read.size > read.bytes.length);
		},
	});
}

/** What was cut off in the middle of a character is no fault of the text. */
function textOf(bytes: Buffer): string | undefined {
	if (bytes.includes(0)) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
	} catch {
		return undefined;
	}
}

function excerpt(text: string, fromLine: number, isCut: boolean): string {
	const lines = text.split("\n");
	if (fromLine > lines.length)
		throw new Error(`There is no line ${fromLine}; the file has ${lines.length}${isCut ? " that can be read" : ""}.`);
	let characters = 0;
	const rest = lines.slice(fromLine - 1);
	const end = rest.findIndex((line) => {
		characters += line.length + 1;
		return characters > MAX_CHARACTERS;
	});
	if (end === -1) return rest.join("\n") + (isCut ? "\n[The rest of the file is not read: it is longer than 1 MiB.]" : "");
	// one line alone may be longer than all that is shown
	const shown = end === 0 ? [(rest[0] as string).slice(0, MAX_CHARACTERS)] : rest.slice(0, end);
	return `${shown.join("\n")}\n[${lines.length} lines; read on with from_line ${fromLine + shown.length}.]`;
}

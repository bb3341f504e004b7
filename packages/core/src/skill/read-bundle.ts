import { ConfigurationError } from "../errors/configuration-error.js";
import { readFileStart } from "../script/read-file-start.js";
import { readSkillFields, type SkillFields } from "./skill-fields.js";

/** A SKILL.md that was read, and where. */
export interface Bundle {
	readonly skillMdPath: string;
	readonly directory: string;
	readonly frontMatter: Readonly<Record<string, unknown>>;
	readonly fields: SkillFields;
	readonly instructions: string;
}

const MAX_BYTES = 1024 * 1024;

/** Reads one SKILL.md. Rejects with a ConfigurationError that says what is wrong, without the file's name, or the file system's error. */
export async function readBundle(skillMdPath: string, directory: string): Promise<Bundle> {
	const text = await readText(skillMdPath);
	// The parsers are a third of what importing this package costs, and a robot without skills needs neither.
	const { parseSkillFile } = await import("./parse-skill-file.js");
	const { frontMatter, instructions } = parseSkillFile(text);
	return { skillMdPath, directory, frontMatter, fields: readSkillFields(frontMatter, skillMdPath, directory), instructions };
}

async function readText(file: string): Promise<string> {
	const { bytes, size } = await readFileStart(file, MAX_BYTES + 1);
	if (size > MAX_BYTES) throw new ConfigurationError(`it is larger than ${MAX_BYTES} bytes. Move parts of it into files of the bundle.`);
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch (cause) {
		throw new ConfigurationError("it is not UTF-8 text. Save it as UTF-8.", { cause });
	}
}

import { isUtf8 } from "node:buffer";
import { readFileStart } from "../paths/read-file-start.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { SkillInvalidError } from "./skill-invalid-error.js";

const MAX_BYTES = 1024 * 1024;

/**
 * The bytes of a SKILL.md, which are UTF-8. Throws the file system's error, a NotAFileError, a SkillInvalidError where the file is too large or no text, or
 * a LeadsOutError where it lies outside of `within`, a directory's real path; without one it may lie anywhere.
 */
export function readSkillFile(path: string, within?: string): Buffer {
	const { bytes, size } = readFileStart(path, MAX_BYTES, within);
	if (size > MAX_BYTES)
		throw invalid("file_too_large", `it is larger than ${MAX_BYTES} bytes. Move parts of it into files of the bundle.`, path);
	if (!isUtf8(bytes)) throw invalid("file_not_text", "it is not UTF-8 text. Save it as UTF-8.", path);
	return bytes;
}

function invalid(code: string, message: string, path: string): SkillInvalidError {
	const diagnostic: SkillDiagnostic = Object.freeze({ severity: "error", code, message: `I${message.slice(1)}`, path });
	return new SkillInvalidError(message, [diagnostic], {});
}

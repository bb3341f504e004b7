/** Why a SKILL.md cannot be read, and what to do, by the code of the file system's error. */
const READ_FAILURES: Readonly<Record<string, string>> = {
	ENOENT: "there is no such file. Give the path of a SKILL.md.",
	ENOTDIR: "there is no such file. Give the path of a SKILL.md.",
	not_a_file: "it is not a file. Give the path of the SKILL.md itself, not of its directory.",
	EACCES: "it may not be read. Change its permissions or those of its directory.",
	ELOOP: "it is a link that leads back to itself. Replace the link by a file.",
};

/** The error of a file system in words. */
export function readFailure(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	return READ_FAILURES[code ?? ""] ?? `${message}.`;
}

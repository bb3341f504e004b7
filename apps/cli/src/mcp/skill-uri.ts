const FORM = /^skill:\/\/([^/?#]+)\/([^?#]+)$/;

/** `skill://<skill>/<path>`, a file of a skill. */
export const skillUri = (skill: string, path = "SKILL.md"): string =>
	`skill://${encodeURIComponent(skill)}/${path.split("/").map(encodeURIComponent).join("/")}`;

/** The same read back; `undefined` for what is none. The path is as it was written, dots and all: who reads the file has to look where it leads. */
export function parseSkillUri(uri: string): { readonly skill: string; readonly path: string } | undefined {
	const [, skill, path] = FORM.exec(uri) ?? [];
	if (skill === undefined || path === undefined) return undefined;
	try {
		return { skill: decodeURIComponent(skill), path: decodeURIComponent(path) };
	} catch {
		return undefined;
	}
}

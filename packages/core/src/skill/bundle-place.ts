import { realpath } from "node:fs/promises";

/** By skill: where it was when it was read. Kept beside the skills, since it is nobody's business but that of who reads their files. */
const PLACES = new WeakMap<object, string>();

/** Notes the real path of a bundle's directory. */
export function notePlace(skill: object, real: string): void {
	PLACES.set(skill, real);
}

/**
 * The real path of a bundle's directory: of a skill that was loaded the one that it had then, so that a link which somebody puts there later leads
 * to no files of another place. Rejects with the file system's error for one whose place was not noted and that is not there.
 */
export async function placeOf(skill: { readonly path: string }): Promise<string> {
	return PLACES.get(skill) ?? realpath(skill.path);
}

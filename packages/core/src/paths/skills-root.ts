import { expandPath } from "./expand-path.js";

/** Where skills lie when nothing else is said: `~/.prompts/skills`, expanded when this module loads. */
export const SKILLS_ROOT: string = skillsRoot();

/** A host without a home directory has no skills there; importing this package must not fail for it. */
function skillsRoot(): string {
	try {
		return expandPath("~/.prompts/skills");
	} catch {
		return "/nonexistent/.prompts/skills";
	}
}

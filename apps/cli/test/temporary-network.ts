import { join } from "node:path";
import { skillMd, temporarySkills } from "./temporary-skills.js";

/** A folder with `lab.yaml` and other files in it, gone when the test is. */
export function temporaryNetwork(yaml: string, files: Readonly<Record<string, string>> = {}): string {
	return temporarySkills({ "lab.yaml": yaml, ...files });
}

/** A skill whose script says where it is, waits for a file of the name it is given, and ends. */
export const NAP: Readonly<Record<string, string>> = {
	"skills/nap/SKILL.md": skillMd("nap", "Takes a nap.", 'fs_read: ["."]'),
	"skills/nap/scripts/nap.sh": "#!/bin/sh\n# Takes a nap.\necho half way\nwhile [ ! -e go ]; do sleep 0.05; done\necho well rested\n",
};

/** What makes the command find a folder's skills. */
export const skillsOf = (cwd: string): readonly string[] => ["--skills", join(cwd, "skills")];

import { homedir } from "node:os";
import { realPath } from "@robot-lab/core/paths";

/** The real path of the home directory; the root, which contains nothing but itself, for a user that has none. */
export function homeDirectory(): string {
	try {
		const home = homedir();
		return home.startsWith("/") ? realPath(home) : "/";
	} catch {
		return "/";
	}
}

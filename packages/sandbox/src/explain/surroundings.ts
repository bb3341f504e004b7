import type { Capabilities } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { protectedIn } from "../grant/protected-paths.js";

/** Variables of the host process. */
export type HostVariables = Readonly<Record<string, string | undefined>>;

/** What a script would be run with, on which answers depend besides the rules themselves. */
export interface Surroundings {
	readonly grant: Capabilities;
	/** Real path of the bundle's directory. */
	readonly skillDir: string;
	/** Stands for the directory for temporary files that every run gets and whose name nobody knows before. */
	readonly scratchDir: string;
	readonly cwd: string;
	/** What `~` stands for, as the host spells it. */
	readonly home: string;
	/** Symbolic links that a look-up of what the skill asks for crosses. */
	readonly links: readonly string[];
	/** The script's whole environment when the host's variables are these. */
	readonly environment: (host: HostVariables) => Readonly<Record<string, string>>;
	readonly platform: NodeJS.Platform;
}

/** The absolute path a question means, links and `..` as they are. */
export function spelledOut(path: string, { cwd, home }: Surroundings): string {
	if (path === "~" || path.startsWith("~/")) return `${home === "/" ? "" : home}${path.slice(1)}` || "/";
	return path.startsWith("/") ? path : `${cwd === "/" ? "" : cwd}/${path}`;
}

/** What a rule or a mount about `root` comes from, as a clause; `undefined` for what nobody asked for by name. */
export function originOf(root: string, access: "read" | "write", surroundings: Surroundings): string | undefined {
	const { grant, skillDir, scratchDir } = surroundings;
	if (root === scratchDir) return "the run's own temporary directory";
	if (access === "write") return originOfWriting(root, grant);
	const holder = grant.fsWrite.find((writable) => writable !== root && protectedIn(writable).includes(root));
	if (holder !== undefined && !grant.fsRead.includes(root)) return `protected inside ${holder}, which fs_write grants`;
	if (grant.fsRead.includes(root)) return "granted by fs_read, for reading only";
	return root === skillDir ? "the skill's own directory" : undefined;
}

function originOfWriting(root: string, { fsWrite }: Capabilities): string | undefined {
	if (fsWrite.includes(root)) return "granted by fs_write";
	const above = fsWrite.find((writable) => isAtOrBelow(root, writable));
	return above === undefined ? undefined : `granted by fs_write as a part of ${above}`;
}

import type { Capabilities } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { checkPath, checkProtectable, checkSkillDirectory, checkWritable, reachesHome } from "../grant/check-path.js";
import type { HostFacts } from "./host-facts.js";
import { macPath } from "./mac-path.js";

export interface ProfileInput {
	readonly grant: Capabilities;
	/** The bundle's directory. Readable; writable only where the grant names it or something below it. */
	readonly skillDir: string;
	/** A directory for temporary files, writable. */
	readonly scratchDir?: string | undefined;
	/** Whether files by which a script could have the host run code later cannot be written. Default: true. */
	readonly protect?: boolean | undefined;
	readonly facts: HostFacts;
}

/** Everything a profile lets a script touch, spelt as the kernel spells it. */
export interface Reach {
	readonly read: readonly string[];
	readonly write: readonly string[];
	readonly crossed: readonly string[];
	/** What of `write` has names at its top that are protected. */
	readonly guarded: readonly string[];
	/** What of all this is no directory. */
	readonly kinds: ReadonlyMap<string, "file" | "nothing">;
}

/** Throws a SandboxUnavailableError (`invalid_grant`) for a grant that cannot be expressed. */
export function reachOf(input: ProfileInput): Reach {
	const { grant, skillDir, scratchDir, protect = true, facts } = input;
	const spelt = (path: string): string => macPath(facts.realPaths.get(path) ?? path);
	const home = macPath(facts.home);
	const asked = { read: grant.fsRead.map(spelt), write: grant.fsWrite.map(spelt), skill: spelt(skillDir) };
	checkAsked(asked, home);
	const guarded = protect ? asked.write : [];
	for (const path of guarded) checkProtectable(path);
	// Nobody asked for these by name, so they never reach the home directory.
	const tools = facts.toolRoots.map(macPath).filter((path) => !reachesHome(path, home));
	const scratch = scratchDir === undefined ? [] : [spelt(scratchDir)];
	const linked = (facts.protectedTargets ?? []).map(macPath).filter((path) => guarded.some((root) => isAtOrBelow(path, root)));
	const crossed = [...facts.links, facts.workingDirectory].map(macPath);
	for (const path of [...tools, ...scratch, ...crossed, ...linked, macPath(facts.temporaryDirectory)])
		checkPath(path, "a path of this computer,");
	return {
		read: [...asked.read, asked.skill, ...tools, ...linked],
		write: [...asked.write, ...scratch],
		crossed,
		guarded,
		kinds: new Map([...(facts.kinds ?? [])].map(([path, kind]) => [macPath(path), kind])),
	};
}

interface Asked {
	readonly read: readonly string[];
	readonly write: readonly string[];
	readonly skill: string;
}

function checkAsked({ read, write, skill }: Asked, home: string): void {
	for (const path of read) checkPath(path, "fs_read");
	for (const path of write) checkPath(path, "fs_write");
	for (const path of write) checkWritable(path, home);
	checkPath(skill, "the skill's directory");
	if (!read.some((root) => isAtOrBelow(home, root))) checkSkillDirectory(skill, home);
}

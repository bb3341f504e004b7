import type { Capabilities } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { type AccessStep, ancestorsOf, planAccess, shallowFirst } from "../grant/access-plan.js";
import { checkPath, checkProtectable, checkSkillDirectory, checkWritable, reachesHome } from "../grant/check-path.js";
import { BASE_CROSSED, BASE_RULES } from "./base-rules.js";
import type { HostFacts } from "./host-facts.js";
import { macPath } from "./mac-path.js";
import { pinnedRule, protectionRules } from "./protection.js";
import { ALL_WRITING, literal, quote, rule, subpath } from "./rule-text.js";

/** What the names of the directories start with that profiles lie in while a script runs. */
export const PROFILE_DIRECTORY_PREFIX = "robot-lab-seatbelt-";

export interface ProfileInput {
	readonly grant: Capabilities;
	/** The bundle's directory. Readable; writable only where the grant names it or something below it. */
	readonly skillDir: string;
	/** A directory for temporary files, writable. */
	readonly scratchDir?: string | undefined;
	/** Whether files by which a script could have the host run code later cannot be written. Default: true. */
	readonly protect?: boolean;
	readonly facts: HostFacts;
}

/** Everything a profile lets a script touch, spelt as the kernel spells it. */
interface Reach {
	readonly read: readonly string[];
	readonly write: readonly string[];
	readonly crossed: readonly string[];
	/** Directories among `write` in which names are protected. */
	readonly guarded: readonly string[];
	/** What of all this is no directory. */
	readonly kinds: ReadonlyMap<string, "file" | "nothing">;
}

/**
 * The profile that confines a script to a grant. A pure function: the same grant in any order gives the same bytes.
 *
 * Throws a SandboxUnavailableError (`invalid_grant`) for a grant that cannot be expressed.
 */
export function seatbeltProfile(input: ProfileInput): string {
	const { grant, facts } = input;
	const reach = reachOf(input);
	const steps = planAccess(reach);
	const sections = [
		baseRules(grant.network),
		crossedRule(reach, steps),
		...steps.map(accessRule),
		pinnedRule({ steps, ...reach }),
		...protectionRules(reach),
		hiddenRule(macPath(facts.temporaryDirectory)),
	];
	return `${sections.filter((text) => text !== "").join("\n")}\n`;
}

function baseRules(network: boolean): string {
	const rows = BASE_RULES.filter((row) => network || row.network !== true);
	return rows.map((row) => `${row.rule} ; ${row.why}`).join("\n");
}

function reachOf({ grant, skillDir, scratchDir, protect = true, facts }: ProfileInput): Reach {
	const spelt = (path: string): string => macPath(facts.realPaths.get(path) ?? path);
	const home = macPath(facts.home);
	const skill = spelt(skillDir);
	const read = grant.fsRead.map(spelt);
	const write = grant.fsWrite.map(spelt);
	// Nobody asked for these by name, so they never reach the home directory.
	const tools = facts.toolRoots.map(macPath).filter((path) => !reachesHome(path, home));
	const scratch = scratchDir === undefined ? [] : [spelt(scratchDir)];
	for (const path of read) checkPath(path, "fs_read");
	for (const path of write) checkPath(path, "fs_write");
	for (const path of write) checkWritable(path, home);
	checkPath(skill, "the skill's directory");
	if (!read.some((root) => isAtOrBelow(home, root))) checkSkillDirectory(skill, home);
	const kinds = new Map([...(facts.kinds ?? [])].map(([path, kind]) => [macPath(path), kind]));
	const guarded = protect ? write.filter((path) => kinds.get(path) !== "file") : [];
	for (const path of guarded) checkProtectable(path);
	const targets = (facts.protectedTargets ?? [])
		.map(macPath)
		.filter((path) => guarded.some((root) => path !== root && isAtOrBelow(path, root)));
	const crossed = [...facts.links, facts.workingDirectory].map(macPath);
	for (const path of [...tools, ...scratch, ...crossed, ...targets, macPath(facts.temporaryDirectory)])
		checkPath(path, "a path of this computer,");
	return { read: [...read, skill, ...tools, ...targets], write: [...write, ...scratch], crossed, guarded, kinds };
}

/** Names, sizes and times, no contents: of every directory above what is granted, and of every link on the way. */
function crossedRule(reach: Reach, steps: readonly AccessStep[]): string {
	const above = [...reach.read, ...reach.write, ...reach.crossed].flatMap(ancestorsOf);
	const open = new Set(steps.map((step) => step.path));
	const visible = (path: string): boolean => BASE_CROSSED.has(path) || [path, ...ancestorsOf(path)].some((place) => open.has(place));
	const crossed = [...new Set([...above, ...reach.crossed])].filter((path) => !visible(path));
	return crossed.length === 0 ? "" : rule("allow", "file-read-metadata", shallowFirst(crossed).map(literal));
}

function accessRule({ path, access, within }: AccessStep): string {
	if (access === "write") return rule("allow", `file-read* ${ALL_WRITING}`, [subpath(path)]);
	if (within === "nothing") return rule("allow", "file-read*", [subpath(path)]);
	return rule("deny", ALL_WRITING, [subpath(path)]);
}

/** A script sees neither its own profile nor another run's, even where it may use the directory they lie in. By prefix, so that the random part of a name stays out of the text. */
function hiddenRule(temporaryDirectory: string): string {
	const directory = temporaryDirectory === "/" ? "" : temporaryDirectory;
	return rule("deny", `file-read* ${ALL_WRITING}`, [`(prefix ${quote(`${directory}/${PROFILE_DIRECTORY_PREFIX}`)})`]);
}

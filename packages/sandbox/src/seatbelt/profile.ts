import { type AccessStep, ancestorsOf, planAccess, shallowFirst } from "../grant/access-plan.js";
import { PROFILE_DIRECTORY_PREFIX } from "../host/profile-directory.js";
import { BASE_CROSSED, BASE_RULES } from "./base-rules.js";
import { macPath } from "./mac-path.js";
import { pinnedRule, protectionRules } from "./protection.js";
import { type ProfileInput, type Reach, reachOf } from "./reach.js";
import { ALL_WRITING, literal, quote, rule, subpath } from "./rule-text.js";

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

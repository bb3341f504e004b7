import { PROFILE_DIRECTORY_PREFIX } from "../host/profile-directory.js";
import { BASE_RULES } from "../seatbelt/base-rules.js";
import { macPath } from "../seatbelt/mac-path.js";
import { originOf, type Surroundings } from "./surroundings.js";

const REASONS: ReadonlyMap<string, string> = new Map(BASE_RULES.map((row) => [row.rule, row.why]));
const ROOT = /\(subpath "((?:[^"\\]|\\.)*)"\)\)$/;

/** Why the profile has a rule: what every profile has it for, or what of the grant it comes from. */
export function profileReason(rule: string, surroundings: Surroundings): string | undefined {
	const reason = REASONS.get(rule) ?? (rule.startsWith("(deny") ? reasonToDeny(rule) : undefined);
	if (reason !== undefined) return reason;
	const root = ROOT.exec(rule)?.[1]?.replace(/\\(.)/g, "$1");
	if (root === undefined) return undefined;
	const { grant, skillDir, scratchDir } = surroundings;
	const spelt = [...grant.fsRead, ...grant.fsWrite, skillDir, scratchDir].find((path) => macPath(path) === root);
	return originOf(spelt ?? root, rule.startsWith("(allow") && rule.includes("file-write*") ? "write" : "read", surroundings);
}

/** What the profile denies in what it allows, besides what is only to be read. */
function reasonToDeny(rule: string): string | undefined {
	if (rule.includes("(regex ")) return "protected: by writing there a script could have the host run code later";
	if (rule.includes(PROFILE_DIRECTORY_PREFIX)) return "profiles of runs lie there";
	return rule.includes("file-write-unlink") ? "something protected or read-only lies in it, and would be moved with it" : undefined;
}

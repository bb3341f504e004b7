import { evaluateProfile, ProfileError, type ProfileEvaluator, type ProfileQuery } from "../../../src/sbpl/index.js";

/** One thing that has to hold of a profile. */
export interface Check {
	readonly what: string;
	readonly operation: string;
	readonly query: ProfileQuery;
	readonly allowed: boolean;
	/** How the rule that has to decide starts. Default: any may. */
	readonly by?: string;
}

/** The first check that does not hold of the profile. A profile that does not compile holds nothing. */
export function firstFailure(profile: string, checks: readonly Check[]): string | undefined {
	try {
		const decide = evaluateProfile(profile);
		return checks.find((check) => !holds(decide, check))?.what;
	} catch (error) {
		if (ProfileError.isInstance(error)) return `it compiles: ${error.message}`;
		throw error;
	}
}

export const holds = (decide: ProfileEvaluator, { operation, query, allowed, by }: Check): boolean => {
	const decision = decide(operation, query);
	return decision.allowed === allowed && (by === undefined || decision.rule.startsWith(by));
};

/** The rule that everything falls to which no other allows. */
export const CLOSED = "(deny default)";
/** The rules that close what a grant opens around them. */
export const ISLAND = "(deny file-write* file-link file-clone (subpath";
export const PROTECTED = "(deny file-write* file-link file-clone file-write-acl";
export const PINNED = "(deny file-write-create file-write-unlink";
export const HIDDEN = "(deny file-read* file-write* file-link file-clone (prefix";
export const ASKED_OF_OTHERS = "(deny process-info* nvram* file-link file-clone)";
export const SYSCTLS = "(deny sysctl-read";
export const DATA = '(deny file-read* (subpath "/System/Volumes/Data"))';

export const can = (what: string, operation: string, query: ProfileQuery = {}): Check => ({ what, operation, query, allowed: true });
export const cannot = (what: string, operation: string, query: ProfileQuery = {}, by: string = CLOSED): Check => ({
	what,
	operation,
	query,
	allowed: false,
	by,
});

export const file = (path: string): ProfileQuery => ({ path, vnodeType: "REGULAR-FILE" });
export const directory = (path: string): ProfileQuery => ({ path, vnodeType: "DIRECTORY" });
export const device = (path: string): ProfileQuery => ({ path, vnodeType: "CHARACTER-DEVICE" });
export const terminal = (path: string): ProfileQuery => ({ path, vnodeType: "TTY" });

export const canRead = (path: string): Check => can(`${path} can be read`, "file-read-data", file(path));
export const cannotRead = (path: string, by?: string): Check => cannot(`${path} cannot be read`, "file-read-data", file(path), by);
export const canLookAt = (path: string): Check => can(`${path} can be looked at on the way`, "file-read-metadata", directory(path));

/** Every operation by which something changes, but for setuid bits, which no grant opens. */
export const CHANGES: readonly string[] = ["acl", "create", "data", "finderinfo", "flags", "mode", "owner", "times", "unlink", "xattr"]
	.map((way) => `file-write-${way}`)
	.concat("file-link", "file-clone");

export const canChange = (path: string): readonly Check[] =>
	CHANGES.map((operation) => can(`${operation} of ${path}`, operation, file(path)));
export const cannotChange = (path: string, by: string): readonly Check[] =>
	CHANGES.map((operation) => cannot(`no ${operation} of ${path}`, operation, file(path), by));

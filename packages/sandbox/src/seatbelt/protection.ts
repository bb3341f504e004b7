import { isAtOrBelow, segmentsOf } from "@robot-lab/core/paths";
import { type AccessStep, shallowFirst, waysTo } from "../grant/access-plan.js";
import { protectedIn, protectedNames } from "../grant/protected-paths.js";
import { namePatterns } from "./name-patterns.js";
import { ALL_WRITING, literal, quote, rule, subpath } from "./rule-text.js";

/**
 * By the specific operations, because one of these wins over every rule of `file-write*`, wherever that stands; and by `file-write*` for
 * what later systems add to it.
 */
const WAYS_TO_CHANGE = ["acl", "create", "data", "finderinfo", "flags", "mode", "owner", "times", "unlink", "xattr"];
const EVERY_CHANGE = `${ALL_WRITING} ${WAYS_TO_CHANGE.map((way) => `file-write-${way}`).join(" ")}`;

export interface ProtectionInput {
	/** Everything that may be written. */
	readonly write: readonly string[];
	/** What of it has names at its top that are protected. */
	readonly guarded: readonly string[];
}

/**
 * Rules that keep what is protected at the top of directories to write from being made, changed, replaced and removed, whether it is
 * there or not, and the directories on the way to it (`.git`) from being made, renamed and removed. What lies in something protected
 * and may be written by name stays as it was.
 *
 * One rule for all directories of one depth: a path goes into no regular expression, and the text of 300 grants stays short.
 */
export function protectionRules({ write, guarded }: ProtectionInput): readonly string[] {
	const groups = new Map<string, readonly string[]>();
	for (const root of shallowFirst(new Set(guarded))) {
		const names = anyOf(namePatterns(segmentsOf(root).length, protectedNames(root)).map((pattern) => `(regex ${quote(pattern)})`));
		groups.set(names, [...(groups.get(names) ?? []), root]);
	}
	return [...groups].map(([names, roots]) => {
		const asked = shallowFirst(new Set(roots.flatMap((root) => write.filter((path) => isProtected(path, root)))));
		const filters = [anyOf(roots.map(subpath)), names, ...asked.map((path) => `(require-not ${subpath(path)})`)];
		return rule("deny", EVERY_CHANGE, [`(require-all\n  ${filters.join("\n  ")})`]);
	});
}

const anyOf = (filters: readonly string[]): string =>
	filters.length === 1 ? filters.join("") : `(require-any\n  ${filters.join("\n  ")})`;

function isProtected(path: string, root: string): boolean {
	const folded = path.toLowerCase();
	return protectedIn(root).some((place) => isAtOrBelow(folded, place.toLowerCase()));
}

export interface PinnedInput extends ProtectionInput {
	readonly steps: readonly AccessStep[];
	/** What of the grant is no directory. */
	readonly kinds: ReadonlyMap<string, "file" | "nothing">;
}

/**
 * Directories that can be neither moved away nor replaced, because a rule about something in them goes by their path: those above
 * what is read-only in a writable place, and the ones in which names are protected with those above. What does not exist yet holds
 * nothing to carry away, and must be possible to make; a file is replaced by every program that saves all or nothing.
 */
export function pinnedRule({ steps, guarded, kinds }: PinnedInput): string {
	const islands = steps.filter((step) => step.access === "read" && step.within === "write" && kinds.get(step.path) !== "nothing");
	const homes = guarded.filter((path) => !kinds.has(path));
	const above = waysTo([...islands.map((step) => step.path), ...homes], steps);
	const pinned = shallowFirst(new Set([...above, ...homes]));
	return pinned.length === 0 ? "" : rule("deny", "file-write-create file-write-unlink", pinned.map(literal));
}

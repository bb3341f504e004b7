import { type Dirent, readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { TimeSlice } from "../process/time-slice.js";
import * as flaws from "./discovery-flaws.js";
import { type Bounds, type Look, lookInto, type Place, placesIn, realOrNothing, SKILL_FILE, type Targets } from "./look-into.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { skillPath } from "./skill-path.js";

/** A directory with a SKILL.md in it. */
export interface FoundBundle {
	readonly directory: string;
	/** The directory itself, all links resolved. */
	readonly real: string;
	/** False where the directory cannot be listed: it may be no bundle at all. */
	readonly isListed: boolean;
	/** False where there was nothing called `scripts` in it. */
	readonly hasScripts: boolean;
	/** The names of the directories in it in which further SKILL.md files may lie; these are no skills. */
	readonly subdirectories: readonly string[];
}

/** What is below a root. */
export interface FoundBundles {
	/** By path, name by name, each place once, whatever links lead there. */
	readonly bundles: readonly FoundBundle[];
	readonly diagnostics: readonly SkillDiagnostic[];
	/** The directories that hold bundles or might: the root and what was looked through below it. */
	readonly groups: readonly string[];
	/** The links that were followed, also those that lead to no bundle now. */
	readonly links: readonly string[];
}

/** How far it is looked. */
export const MAX_DEPTH = 6;
export const MAX_GROUPS = 2000;
export const MAX_LINKS = 2000;

/**
 * The bundles below a directory, at any depth up to {@link MAX_DEPTH}: a directory with a file named exactly `SKILL.md`. What lies below a
 * bundle belongs to it. `.git` and `node_modules` are passed over, and other directories with a dot are not looked through. A link may lead
 * to a bundle anywhere, in a project's root only within the project; to a directory that holds bundles it is not followed, and it is not listed. At most
 * {@link MAX_GROUPS} directories and {@link MAX_LINKS} links without a bundle are looked through, the ones nearest to the root first. Opens no
 * file and never rejects for what is on the disk; what is missing is empty.
 *
 * @param directory Its path; `~` is expanded.
 * @param within A project's real path that nothing may lead out of. Default: none.
 * @throws ConfigurationError where `directory` is no path.
 */
export async function findBundles(directory: string, within?: string): Promise<FoundBundles> {
	const root = skillPath(directory, "look for bundles in", "give the path of a directory");
	const real = realOrNothing(root);
	let entries: readonly Dirent[];
	try {
		entries = readdirSync(root, { withFileTypes: true });
	} catch (error) {
		return { bundles: [], diagnostics: flaws.unreadableRoot(root, error as NodeJS.ErrnoException), groups: [], links: [] };
	}
	const found = new Findings(root);
	found.bundleAsRoot(entries);
	const search = { bounds: { root: real ?? root, ...(within !== undefined && { within }) }, targets: new Map(), found };
	for (let level = placesIn(root, search.bounds.root, 1, entries); level.length > 0; ) level = await searchLevel(level, search);
	return found.sorted();
}

interface Search {
	readonly bounds: Bounds;
	readonly targets: Targets;
	readonly found: Findings;
}

/** Looks into the places of one level and answers with those of the next. */
async function searchLevel(level: readonly Place[], { bounds, targets, found }: Search): Promise<readonly Place[]> {
	const next: Place[] = [];
	const slice = new TimeSlice();
	for (const place of level) {
		if (slice.isOver) await slice.next();
		const look = lookInto(place, bounds, targets);
		if (!found.hasRoomFor(place, look)) return [];
		if (look.kind !== "group") found.add(place, look);
		else if (!place.isHidden && place.depth < MAX_DEPTH) {
			// Not spread: there may be more of them than a call takes.
			for (const below of placesIn(place.directory, look.real, place.depth + 1, look.entries)) next.push(below);
		}
	}
	return next;
}

class Findings {
	readonly #root: string;
	readonly #bundles: FoundBundle[] = [];
	readonly #diagnostics: SkillDiagnostic[] = [];
	readonly #groups: string[];
	readonly #links: string[] = [];
	#idleLinks = 0;

	constructor(root: string) {
		this.#root = root;
		this.#groups = [root];
	}

	bundleAsRoot(entries: readonly Dirent[]): void {
		if (entries.some((entry) => entry.name === SKILL_FILE && !entry.isDirectory())) this.#diagnostics.push(flaws.bundleAsRoot(this.#root));
	}

	add({ directory }: Place, look: Exclude<Look, { kind: "group" }>): void {
		if (look.kind === "bundle")
			this.#bundles.push({
				directory,
				real: look.real,
				isListed: look.isListed,
				hasScripts: look.hasScripts,
				subdirectories: look.subdirectories,
			});
		else if (look.kind === "misnamed") this.#diagnostics.push(flaws.misnamed(join(directory, look.name)));
		else if (look.kind === "elsewhere") this.#diagnostics.push(flaws.linkNotFollowed(directory, look.target));
		else if (look.kind === "outside") this.#diagnostics.push(flaws.linkLeadsOut(directory, look.target));
	}

	/** Counts what is no bundle. */
	hasRoomFor({ directory, real }: Place, look: Look): boolean {
		if (real === undefined) this.#links.push(directory);
		if (look.kind === "bundle") return true;
		if (real === undefined) {
			this.#idleLinks += 1;
			return this.#idleLinks <= MAX_LINKS || this.#isFull(directory, MAX_LINKS, "links");
		}
		if (look.kind !== "group") return true;
		// The root is one of them.
		if (this.#groups.length > MAX_GROUPS) return this.#isFull(directory, MAX_GROUPS, "directories");
		this.#groups.push(directory);
		return true;
	}

	#isFull(first: string, limit: number, what: string): false {
		this.#diagnostics.push(flaws.tooLarge(this.#root, first, `${limit.toLocaleString("en-US")} ${what}`));
		return false;
	}

	sorted(): FoundBundles {
		const bundles = this.#bundles;
		// As they were found they are in order, unless some lie deeper than others.
		if (bundles.some(({ directory }) => dirname(directory) !== this.#root)) bundles.sort(byPath);
		const seen = new Set<string>();
		const once = bundles.filter(({ real }) => seen.size < seen.add(real).size);
		const diagnostics = this.#diagnostics.sort((one, other) => (one.path < other.path ? -1 : 1));
		return { bundles: once, diagnostics, groups: this.#groups, links: this.#links };
	}
}

/** Name by name: `a/z` comes before `a-b`. */
function byPath(one: FoundBundle, other: FoundBundle): number {
	return one.directory.replaceAll(sep, "\0") < other.directory.replaceAll(sep, "\0") ? -1 : 1;
}

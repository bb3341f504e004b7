import { dirname } from "node:path";
import type { AgentSkill } from "./agent-skill.js";
import { type BundleStamp, identityOf, stampBundle } from "./bundle-stamp.js";
import type { FoundBundle } from "./find-bundles.js";
import { mapConcurrently } from "./map-concurrently.js";
import { type Loaded, loadBundle } from "./scan-root.js";
import { type Scan, scanRoots } from "./scan-roots.js";
import type { SkillRoot } from "./skill-roots.js";

/** What another look at the roots found, by the names of skills. */
export interface SkillChanges {
	readonly added: readonly AgentSkill[];
	/** As they were. */
	readonly removed: readonly AgentSkill[];
	/** As they are now. Also one whose scripts or files changed, and one that came into the place of another root's. */
	readonly changed: readonly AgentSkill[];
}

export interface Look {
	readonly scan: Scan;
	/** Absent the first time. */
	readonly changes?: SkillChanges;
	/** Every directory in which something may change, each with what tells it from a later one at the same path. */
	readonly directories: ReadonlyMap<string, string>;
}

interface Known {
	readonly stamp: BundleStamp;
	readonly loaded: Loaded;
}

const AT_ONCE = 32;

/** Looks through roots again and again. A bundle that is as it was is not loaded again, and its skill is the same object. Not for two looks at one time. */
export class RepeatedScan {
	#known: ReadonlyMap<string, Known> = new Map();
	#scan: Scan | undefined;

	async look(roots: readonly SkillRoot[]): Promise<Look> {
		const known = new Map<string, Known>();
		const found = await scanRoots(roots, (bundle, within) => this.#load(bundle, within, known));
		const before = this.#scan;
		const scan = before !== undefined && isSame(before.skills, found.skills) ? { ...found, skills: before.skills } : found;
		this.#known = known;
		this.#scan = scan;
		const directories = await directoriesOf(roots, scan, known);
		return { scan, ...(before !== undefined && { changes: changesBetween(before, scan) }), directories };
	}

	async #load(bundle: FoundBundle, within: string | undefined, known: Map<string, Known>): Promise<Loaded> {
		// Before it is loaded: what is written after that makes it another one the next time.
		const stamp = await stampBundle(bundle.directory);
		const earlier = this.#known.get(bundle.directory);
		const loaded = earlier?.stamp.text === stamp.text ? earlier.loaded : await loadBundle(bundle, within);
		known.set(bundle.directory, { stamp, loaded });
		return loaded;
	}
}

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
	some.length === others.length && some.every((each, index) => each === others[index]);

function changesBetween(before: Scan, after: Scan): SkillChanges {
	const added = after.skills.filter(({ name }) => !before.entries.has(name));
	const removed = before.skills.filter(({ name }) => !after.entries.has(name));
	const changed = after.skills.filter((skill) => before.entries.has(skill.name) && before.entries.get(skill.name)?.skill !== skill);
	return { added, removed, changed };
}

/** Roots, what is looked through below them, and bundles; in the place of a root that is missing or not read the nearest directory above it. */
async function directoriesOf(
	roots: readonly SkillRoot[],
	scan: Scan,
	known: ReadonlyMap<string, Known>,
): Promise<ReadonlyMap<string, string>> {
	const directories = new Map<string, string>();
	for (const { stamp } of known.values()) for (const [path, identity] of stamp.directories) directories.set(path, identity);
	const groups = scan.roots.flatMap((root) => root.groups);
	const read = new Set(groups);
	const missing = roots.map(({ path }) => path).filter((path) => !read.has(path));
	const identities = await mapConcurrently(groups, AT_ONCE, identityOf);
	for (const [index, group] of groups.entries()) directories.set(group, identities[index] ?? "");
	for (const path of missing) {
		for (let above = dirname(path); ; above = dirname(above)) {
			const identity = await identityOf(above);
			if (identity !== "") directories.set(above, identity);
			if (identity !== "" || above === dirname(above)) break;
		}
	}
	return directories;
}

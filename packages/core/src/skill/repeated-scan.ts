import { isDeepStrictEqual } from "node:util";
import type { SkillGrant } from "../config/config.js";
import { mapConcurrently } from "../process/map-concurrently.js";
import { AgentSkill } from "./agent-skill.js";
import { type BundleStamp, identityOf, stampBundle } from "./bundle-stamp.js";
import type { WatchedDirectory } from "./directory-watchers.js";
import type { FoundBundle } from "./find-bundles.js";
import { type Loaded, loadBundle } from "./scan-root.js";
import { type Scan, scanRoots } from "./scan-roots.js";
import type { SkillRoot } from "./skill-roots.js";
import { Ways } from "./way-to.js";

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
	/** Every directory in which something may change. */
	readonly directories: ReadonlyMap<string, WatchedDirectory>;
	/** The bundles of which not all is looked at. */
	readonly cut: readonly string[];
}

export interface LookOptions {
	/** Whether every bundle is read again, also one that looks as it did. Default false. */
	readonly anew?: boolean;
	/** Other directories that decide what the roots are. Default: none. */
	readonly beside?: readonly string[];
}

interface Known {
	readonly stamp: BundleStamp;
	readonly grant: SkillGrant | undefined;
	readonly loaded: Loaded;
}

const AT_ONCE = 32;

/** Looks through roots again and again. A bundle that is as it was is not loaded again, and its skill is the same object. Not for two looks at one time. */
export class RepeatedScan {
	#known: ReadonlyMap<string, Known> = new Map();
	#scan: Scan | undefined;
	/** Skills that were read again and are what they were. */
	readonly #renewed = new WeakSet<AgentSkill>();

	async look(roots: readonly SkillRoot[], { anew = false, beside = [] }: LookOptions = {}): Promise<Look> {
		const known = new Map<string, Known>();
		const found = await scanRoots(roots, (bundle, within, grant) => this.#load(bundle, { within, grant, known, anew }));
		const before = this.#scan;
		const scan = before !== undefined && isSame(before.skills, found.skills) ? { ...found, skills: before.skills } : found;
		this.#known = known;
		this.#scan = scan;
		const directories = await directoriesOf({ roots, beside, scan, known });
		const cut = [...known].flatMap(([path, { stamp }]) => (stamp.isCut ? [path] : []));
		return { scan, ...(before !== undefined && { changes: this.#changes(before, scan) }), directories, cut };
	}

	async #load(bundle: FoundBundle, { within, grant, known, anew }: Loading): Promise<Loaded> {
		// Before it is loaded: what is written after that makes it another one the next time.
		const stamp = await stampBundle(bundle.directory);
		const earlier = this.#known.get(bundle.directory);
		const isAsBefore = earlier?.stamp.text === stamp.text && isDeepStrictEqual(earlier.grant, grant);
		const loaded = isAsBefore && !anew ? earlier.loaded : await loadBundle(bundle, within, grant);
		if (loaded instanceof AgentSkill && isAsBefore && !stamp.isCut && isAlike(earlier.loaded, loaded)) this.#renewed.add(loaded);
		known.set(bundle.directory, { stamp, grant, loaded });
		return loaded;
	}

	#changes(before: Scan, after: Scan): SkillChanges {
		const added = after.skills.filter(({ name }) => !before.entries.has(name));
		const removed = before.skills.filter(({ name }) => !after.entries.has(name));
		const changed = after.skills.filter((skill) => {
			const earlier = before.entries.get(skill.name)?.skill;
			return earlier !== undefined && earlier !== skill && !(this.#renewed.has(skill) && earlier.path === skill.path);
		});
		return { added, removed, changed };
	}
}

interface Loading {
	readonly within: string | undefined;
	readonly grant: SkillGrant | undefined;
	readonly known: Map<string, Known>;
	readonly anew: boolean;
}

/** Two skills that say the same. */
const isAlike = (one: Loaded, other: Loaded): boolean =>
	one instanceof AgentSkill && other instanceof AgentSkill && one.instructions === other.instructions && isDeepStrictEqual(one, other);

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
	some.length === others.length && some.every((each, index) => each === others[index]);

interface Looked {
	readonly roots: readonly SkillRoot[];
	readonly beside: readonly string[];
	readonly scan: Scan;
	readonly known: ReadonlyMap<string, Known>;
}

/**
 * Roots, what is looked through below them, and bundles; and of the directories on the way to each root, to where each link in it leads and to
 * what decides what the roots are, the names on that way: a root that is missing, a link and a directory that is renamed are seen there alone.
 */
async function directoriesOf({ roots, beside, scan, known }: Looked): Promise<ReadonlyMap<string, WatchedDirectory>> {
	// In a project that nobody trusts no link is followed; it is the record that tells when somebody does.
	const places = roots.map(({ path, project }) => (project?.verdict.isTrusted === false ? project.directory : path));
	const links = scan.roots.flatMap((root) => root.links);
	const ways = new Ways();
	await mapConcurrently([...places, ...beside, ...links], AT_ONCE, (path) => ways.add(path));
	const whole = new Set([...scan.roots.flatMap(({ groups }) => groups), ...beside]);
	const paths = [...new Set([...ways.names.keys(), ...whole])];
	const identities = await mapConcurrently(paths, AT_ONCE, identityOf);
	const directories = new Map<string, WatchedDirectory>();
	for (const [index, path] of paths.entries()) {
		const identity = identities[index] ?? "";
		const names = whole.has(path) ? undefined : ways.names.get(path);
		if (identity !== "") directories.set(path, { identity, ...(names !== undefined && { names }) });
	}
	for (const { stamp } of known.values()) for (const [path, identity] of stamp.directories) directories.set(path, { identity });
	return directories;
}

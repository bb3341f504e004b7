import { isAbsolute } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { skillPath } from "../skill/skill-path.js";
import { describeValue, isList, isRecord } from "../text/describe-value.js";
import { type BundleChanges, bundleChanges, changesText } from "./bundle-changes.js";
import { type BundleDigest, bundleDigest } from "./bundle-digest.js";
import { readDigest, versionOne } from "./kept-json.js";
import { isFrom, readRoots, writtenRoots } from "./lock-roots.js";
import { type KeptFile, readKept, unusable, writeKept } from "./private-file.js";

/** What bundles were when somebody wrote it down, by the skills' names. */
export interface SkillLock {
	readonly version: 1;
	/** Has no prototype. */
	readonly skills: Readonly<Record<string, BundleDigest>>;
	/**
	 * Directories, absolute, whose skills it has all of: one that lies there and is not in the lock is one too many, and one that lies elsewhere
	 * and has no name of the lock's is none of its business. Default: it says of every skill whether it is in it.
	 */
	readonly roots?: readonly string[];
}

/** How a skill is not what a lock says: the lock has none of its name, or its files are others. */
export type LockDifference = { readonly kind: "not_locked" } | { readonly kind: "files_changed"; readonly changes: BundleChanges };

/** The part of a skill that counts here. */
export interface LockedSkill {
	readonly name: string;
	/** The bundle's directory. */
	readonly path: string;
}

/** Thirty bundles of as many files as a digest takes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Throws a ConfigurationError for what is no path. `~` is expanded. */
function fileAt(path: string, action: string): KeptFile {
	return { what: "lock", path: skillPath(path, action, "give the path of a skills-lock.json"), maxBytes: MAX_BYTES, isPrivate: false };
}

/** The lock of these skills as they are now. Throws a ConfigurationError for a bundle that a digest cannot stand for, and for two of one name. */
export async function createSkillLock(skills: readonly LockedSkill[]): Promise<SkillLock> {
	if (!isList(skills) || !skills.every(isSkill))
		throw new ConfigurationError("createSkillLock() takes a list of skills, each with its name and path.");
	const locked: Record<string, BundleDigest> = Object.create(null);
	for (const { name, path } of [...skills].sort((left, right) => (left.name < right.name ? -1 : 1))) {
		if (Object.hasOwn(locked, name))
			throw new ConfigurationError(`Two skills are called ${describeValue(name)}, and a lock tells skills by their names. Rename one.`);
		locked[name] = await bundleDigest(path);
	}
	return Object.freeze({ version: 1, skills: Object.freeze(locked) });
}

/** Reads a `skills-lock.json`; `~` is expanded. Throws a ConfigurationError where there is none, and for one that was not made whole by {@link writeSkillLock}. */
export async function readSkillLock(path: string): Promise<SkillLock> {
	const kept = fileAt(path, "read a lock from");
	const text = await readKept(kept);
	if (text === undefined)
		throw new ConfigurationError(`There is no lock file ${JSON.stringify(kept.path)}. Write one: robot-lab skills lock.`);
	const { skills, roots } = versionOne(text) ?? {};
	if (!isRecord(skills)) throw unusable(kept, "holds no lock of a version known here");
	const locked: Record<string, BundleDigest> = Object.create(null);
	for (const [name, value] of Object.entries(skills)) {
		const digest = readDigest(value);
		if (digest === undefined) throw unusable(kept, `has files for ${describeValue(name)} that are not those its digest is of`);
		locked[name] = digest;
	}
	const read = roots === undefined ? undefined : readRoots(roots, kept.path);
	if (roots !== undefined && read === undefined) throw unusable(kept, "has roots that are no directories");
	return Object.freeze({ version: 1, skills: Object.freeze(locked), ...(read && { roots: read }) });
}

/** Writes it, the same text for the same lock, whole or not at all; `~` is expanded. Throws a ConfigurationError for what is no path or no lock, and else rejects with the file system's error. */
export async function writeSkillLock(path: string, lock: SkillLock): Promise<void> {
	const kept = fileAt(path, "write a lock to");
	checkLock("writeSkillLock()", lock ?? null);
	const { version, skills, roots } = lock;
	const written = { version, ...(roots && { roots: writtenRoots(roots, kept.path) }), skills };
	await writeKept(kept, `${JSON.stringify(written, null, 2)}\n`);
}

/** How a skill that is there now is not what the lock says; `undefined`: it is. Throws a ConfigurationError for what is no lock or no skill, and as `bundleDigest()` does. */
export async function checkAgainstLock(lock: SkillLock, skill: LockedSkill): Promise<LockDifference | undefined> {
	checkLock("checkAgainstLock()", lock ?? null);
	if (!isSkill(skill))
		throw new ConfigurationError(`checkAgainstLock() takes a skill with its name and path, got ${describeValue(skill)}.`);
	return lockDifference(lock, skill, await bundleDigest(skill.path));
}

/** The same for a bundle that was read. */
export function lockDifference(
	{ skills, roots }: SkillLock,
	{ name, path }: LockedSkill,
	bundle: BundleDigest,
): LockDifference | undefined {
	const locked = Object.hasOwn(skills, name) ? skills[name] : undefined;
	if (locked === undefined) return roots === undefined || isFrom(roots, path) ? { kind: "not_locked" } : undefined;
	return locked.digest === bundle.digest ? undefined : { kind: "files_changed", changes: bundleChanges(locked.files, bundle.files) };
}

const isSkill = (skill: unknown): skill is LockedSkill =>
	isRecord(skill) && typeof skill.name === "string" && typeof skill.path === "string";

/** A difference as a clause about the skill. */
export const differenceText = (difference: LockDifference): string =>
	difference.kind === "not_locked" ? "is not in the lock" : `is not what the lock says: ${changesText(difference.changes)}`;

/** Throws a ConfigurationError for what is no lock: a path, say, which is not read for anybody. */
export function checkLock(what: string, lock: unknown): void {
	if (lock === undefined) return;
	if (!isRecord(lock)) throw new ConfigurationError(`${what} takes as lock what readSkillLock() gives, got ${describeValue(lock)}.`);
	checkNames(`The lock of ${what}`, lock, ["version", "skills", "roots"]);
	if (!isRecord(lock.skills)) throw new ConfigurationError(`${what} takes as lock what readSkillLock() gives; this one has no skills.`);
	if (lock.roots !== undefined && (!isList(lock.roots) || !lock.roots.every((root) => typeof root === "string" && isAbsolute(root))))
		throw new ConfigurationError(`${what} takes as lock what readSkillLock() gives; the roots of this one are no absolute paths.`);
}

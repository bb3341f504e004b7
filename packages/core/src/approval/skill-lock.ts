import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { type BundleChanges, bundleChanges, changesText } from "./bundle-changes.js";
import { type BundleDigest, bundleDigest } from "./bundle-digest.js";
import { readDigest, versionOne } from "./kept-json.js";
import { type KeptFile, readKept, unusable, writeKept } from "./private-file.js";

/** What bundles were when somebody wrote it down, by the skills' names. */
export interface SkillLock {
	readonly version: 1;
	/** Has no prototype. */
	readonly skills: Readonly<Record<string, BundleDigest>>;
}

/** How a skill is not what a lock says: the lock has none of its name, or its files are others. */
export type LockDifference = { readonly kind: "not_locked" } | { readonly kind: "files_changed"; readonly changes: BundleChanges };

type LockedSkill = { readonly name: string; readonly path: string };

const MAX_BYTES = 64 * 1024 * 1024;

const fileAt = (path: string): KeptFile => ({ what: "lock", path, maxBytes: MAX_BYTES, isPrivate: false });

/** The lock of these skills as they are now. Throws a ConfigurationError for a bundle that a digest cannot stand for, and for two of one name. */
export async function createSkillLock(skills: readonly LockedSkill[]): Promise<SkillLock> {
	const locked: Record<string, BundleDigest> = Object.create(null);
	for (const { name, path } of [...skills].sort((left, right) => (left.name < right.name ? -1 : 1))) {
		if (Object.hasOwn(locked, name))
			throw new ConfigurationError(`Two skills are called ${describeValue(name)}, and a lock tells skills by their names. Rename one.`);
		locked[name] = await bundleDigest(path);
	}
	return Object.freeze({ version: 1, skills: Object.freeze(locked) });
}

/** Reads a `skills-lock.json`. Throws a ConfigurationError where there is none, and for one that was not made whole by {@link writeSkillLock}. */
export async function readSkillLock(path: string): Promise<SkillLock> {
	const text = await readKept(fileAt(path));
	if (text === undefined) throw new ConfigurationError(`There is no lock file ${JSON.stringify(path)}. Write one: robot-lab skills lock.`);
	const { skills } = versionOne(text) ?? {};
	if (!isRecord(skills)) throw unusable(fileAt(path), "holds no lock of a version known here");
	const locked: Record<string, BundleDigest> = Object.create(null);
	for (const [name, value] of Object.entries(skills)) {
		const digest = readDigest(value);
		if (digest === undefined) throw unusable(fileAt(path), `has files for ${describeValue(name)} that are not those its digest is of`);
		locked[name] = digest;
	}
	return Object.freeze({ version: 1, skills: Object.freeze(locked) });
}

/** Writes it, the same text for the same lock, whole or not at all. Rejects with the file system's error. */
export async function writeSkillLock(path: string, lock: SkillLock): Promise<void> {
	await writeKept(fileAt(path), `${JSON.stringify(lock, null, 2)}\n`);
}

/** How a skill that is there now is not what the lock says; `undefined`: it is. Throws as `bundleDigest()` does. */
export async function checkAgainstLock(lock: SkillLock, { name, path }: LockedSkill): Promise<LockDifference | undefined> {
	return lockDifference(lock, name, await bundleDigest(path));
}

/** The same for a bundle that was read. */
export function lockDifference({ skills }: SkillLock, name: string, bundle: BundleDigest): LockDifference | undefined {
	const locked = Object.hasOwn(skills, name) ? skills[name] : undefined;
	if (locked === undefined) return { kind: "not_locked" };
	return locked.digest === bundle.digest ? undefined : { kind: "files_changed", changes: bundleChanges(locked.files, bundle.files) };
}

/** A difference as a clause about the skill. */
export const differenceText = (difference: LockDifference): string =>
	difference.kind === "not_locked" ? "is not in the lock" : `is not what the lock says: ${changesText(difference.changes)}`;

/** Throws a ConfigurationError for what is no lock: a path, say, which is not read for anybody. */
export function checkLock(what: string, lock: unknown): void {
	if (lock === undefined) return;
	if (!isRecord(lock)) throw new ConfigurationError(`${what} takes as lock what readSkillLock() gives, got ${describeValue(lock)}.`);
	checkNames(`The lock of ${what}`, lock, ["version", "skills"]);
	if (!isRecord(lock.skills)) throw new ConfigurationError(`${what} takes as lock what readSkillLock() gives; this one has no skills.`);
}

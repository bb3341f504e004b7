import { dirname } from "node:path";
import {
	type AgentSkill,
	AgentSkillCatalog,
	ConfigurationError,
	checkAgainstLock,
	createSkillLock,
	type LockDifference,
	readSkillLock,
	type SkillLock,
	skillRoots,
	writeSkillLock,
} from "@robot-lab/core";
import type { Command } from "commander";
import { openCatalog } from "../catalog.js";
import type { Context } from "../context.js";
import { WorkError } from "../exit.js";
import { isThere, LOCK_FILE, type LockFlags, lockName } from "../lock.js";
import { addJsonOption, addSkillsOption, type JsonOption, type SkillsOption } from "../options.js";
import { changesWords } from "../render/changes-words.js";
import { renderDiagnostics } from "../render/diagnostics.js";
import { jsonDocument } from "../render/json.js";
import { printableLine } from "../render/printable.js";

interface LockOptions extends SkillsOption, JsonOption, LockFlags {
	readonly check?: boolean;
}

export function addSkillsLockCommand(skills: Command, context: Context): void {
	const command = skills
		.command("lock")
		.description(`write down what every skill is now, file by file, in ${LOCK_FILE}; of folders that it has besides nothing is changed`)
		.option("--check", "write nothing; exit with 1 when a skill is not what the lock says, or is broken")
		.option("--lock <file>", `the lock file (default: ${LOCK_FILE})`);
	addJsonOption(addSkillsOption(command), "print one JSON document").action((options: LockOptions) => lockSkills(options, context));
}

async function lockSkills(options: LockOptions, context: Context): Promise<void> {
	const file = options.lock ?? LOCK_FILE;
	const earlier = options.check || isThere(file) ? await readSkillLock(file) : undefined;
	const look = await lookAround(options, earlier);
	if (!options.json) for (const line of renderDiagnostics(look.broken, context.terminal.errStyle)) context.terminal.err(`${line}\n`);
	if (earlier !== undefined && options.check) await check(earlier, look, options, context);
	else await write(file, earlier, look, options, context);
}

interface Look {
	readonly skills: readonly AgentSkill[];
	/** Absolute. */
	readonly roots: readonly string[];
	/** Whether it was looked in all folders that the lock is of: then a skill that was not found is gone. */
	readonly isWhole: boolean;
	readonly broken: Awaited<ReturnType<AgentSkillCatalog["diagnostics"]>>;
}

/** Looks in the folders that were named, else in those that the lock is of, else in the configured ones. */
async function lookAround({ skills: named }: LockOptions, earlier: SkillLock | undefined): Promise<Look> {
	const locked = named === undefined ? earlier?.roots : undefined;
	const catalog = locked === undefined ? await openCatalog(named) : new AgentSkillCatalog(skillRoots(locked));
	const roots = catalog.roots().flatMap(({ path, project }) => (project?.verdict.isTrusted === false ? [] : [path]));
	return {
		skills: await catalog.all(),
		roots,
		isWhole: earlier === undefined || (earlier.roots ?? []).every((root) => roots.includes(root)),
		broken: (await catalog.diagnostics()).filter(({ severity }) => severity === "error"),
	};
}

async function check(lock: SkillLock, look: Look, options: LockOptions, { terminal }: Context): Promise<void> {
	const differences = await differencesFrom(lock, look);
	const file = lockName(options);
	const { broken: diagnostics, roots } = look;
	terminal.out(
		options.json
			? jsonDocument({ file: options.lock ?? LOCK_FILE, roots, differences, diagnostics })
			: differences.map((one) => `${differenceLine(one, CHECKED)}\n`).join(""),
	);
	const next = `Looked in ${listed(roots)}. If that is right, lock it anew: robot-lab skills lock; other folders are named with --skills DIR.`;
	if (differences.length > 0) throw new WorkError(`${counted(differences.length)} not what ${file} says. ${next}`);
	if (diagnostics.length > 0) throw new WorkError(`What is broken was left out, so nobody knows whether it is what ${file} says.`);
	if (!options.json) terminal.out(`${counted(look.skills.length)} what ${file} says.\n`);
}

async function write(file: string, earlier: SkillLock | undefined, look: Look, options: LockOptions, { terminal }: Context): Promise<void> {
	const differences = earlier === undefined ? [] : await differencesFrom(earlier, look);
	if (earlier === undefined && look.skills.length === 0 && look.broken.length === 0)
		throw new WorkError(
			`No skill was found in ${listed(look.roots)}, and a lock of nothing would let nothing run that comes there later. Nothing was written. Name the folder that holds skills with --skills DIR.`,
		);
	const now = await createSkillLock(look.skills);
	const kept = look.isWhole
		? {}
		: Object.fromEntries(Object.entries(earlier?.skills ?? {}).filter(([name]) => !Object.hasOwn(now.skills, name)));
	const roots = [...new Set([...(look.isWhole ? [] : (earlier?.roots ?? [])), ...look.roots])];
	const skills = sorted({ ...kept, ...now.skills });
	await writeSkillLock(file, { version: 1, skills, roots }).catch((error: unknown) => {
		throw unwritable(file, error);
	});
	const { broken: diagnostics } = look;
	if (options.json) terminal.out(jsonDocument({ file, version: 1, roots, skills, differences, diagnostics }));
	else {
		terminal.out(differences.map((one) => `${differenceLine(one, WRITTEN)}\n`).join(""));
		const others = Object.keys(kept).length;
		const more =
			others === 0
				? ""
				: ` ${others} that ${others === 1 ? "was not found there stays as it was" : "were not found there stay as they were"}; without --skills all folders of the lock are looked at, and what is gone is taken out.`;
		terminal.out(`${counted(look.skills.length)} in ${lockName(options)} now (from ${listed(look.roots)}).${more}\n`);
	}
	if (diagnostics.length > 0) throw new WorkError("What is broken was left out of the lock. Mend it, and lock again.");
}

/** The system names a file that was to take the lock's place, which nobody has heard of. */
function unwritable(file: string, error: unknown): unknown {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (ConfigurationError.isInstance(error) || typeof code !== "string") return error;
	const why = code === "ENOENT" ? `there is no folder ${printableLine(dirname(file), 200)}` : code;
	return new WorkError(
		`The lock ${printableLine(file, 200)} cannot be written: ${why}. Make the folder, or name another file with --lock FILE.`,
	);
}

/** Without a prototype, so that a skill may be called whatever it likes. */
function sorted(skills: SkillLock["skills"]): SkillLock["skills"] {
	const names = Object.keys(skills).sort((one, other) => (one < other ? -1 : 1));
	return Object.assign(Object.create(null), Object.fromEntries(names.map((name) => [name, skills[name]])));
}

type Difference = { readonly skill: string } & (LockDifference | { readonly kind: "missing" });

async function differencesFrom(lock: SkillLock, { skills, isWhole }: Look): Promise<readonly Difference[]> {
	const found = new Set(skills.map(({ name }) => name));
	const missing = isWhole ? Object.keys(lock.skills).filter((name) => !found.has(name)) : [];
	const differences: Difference[] = missing.map((skill) => ({ skill, kind: "missing" }));
	// whatever its roots are: what was looked at is meant to be in it
	const { roots: _, ...whole } = lock;
	for (const skill of skills) {
		const difference = await checkAgainstLock(whole, skill);
		if (difference !== undefined) differences.push({ skill: skill.name, ...difference });
	}
	return differences;
}

type Words = Readonly<Record<"missing" | "not_locked", string>>;

const CHECKED: Words = { missing: "in the lock, and not there", not_locked: "there, and not in the lock" };
const WRITTEN: Words = { missing: "taken out, because it is not there any more", not_locked: "new" };

function differenceLine(difference: Difference, words: Words): string {
	const name = printableLine(difference.skill, 80);
	return `${name}: ${difference.kind === "files_changed" ? changesWords(difference.changes) : words[difference.kind]}`;
}

const counted = (count: number): string => (count === 1 ? "1 skill is" : `${count} skills are`);

const listed = (roots: readonly string[]): string => roots.map((root) => printableLine(root, 200)).join(", ") || "no folder";

import { lstatSync } from "node:fs";
import { type ApprovalOptions, readSkillLock, type SkillLock } from "@robot-lab/core";
import type { Command } from "commander";
import { type ApprovalFlags, approvalFor } from "./approval.js";
import { UsageError } from "./exit.js";
import { printableLine } from "./render/printable.js";
import type { Terminal } from "./terminal.js";

/** Which lock holds. */
export interface LockFlags {
	readonly lock?: string;
	readonly locked?: boolean;
}

/** In the working directory, where it is committed. */
export const LOCK_FILE = "skills-lock.json";

export function addLockOptions(command: Command): Command {
	return command
		.option("--lock <file>", `run no script of a skill that is not what this lock file says (default: ${LOCK_FILE}, where there is one)`)
		.option("--locked", "run no script of a skill that is not in the lock either, and nothing where there is none");
}

/** What decides about scripts: the lock, where there is one, and who is asked. A lock denies, and lets nothing run by itself that would be asked about. */
export async function decisionFor(flags: ApprovalFlags & LockFlags, terminal: Terminal): Promise<ApprovalOptions | undefined> {
	const approval = approvalFor(flags, terminal);
	const lock = await lockFor(flags);
	return lock === undefined ? approval : { ...approval, lock };
}

/** With --locked it speaks of every skill, and else of those below the roots that it was made of: a project's lock knows nothing of the user's own ones. */
export async function lockFor({ lock: file, locked }: LockFlags): Promise<SkillLock | undefined> {
	if (file === undefined && !isThere(LOCK_FILE)) {
		if (locked)
			throw new UsageError(
				`--locked runs what a lock says, and there is no ${LOCK_FILE} here. Write one: robot-lab skills lock --skills DIR.`,
			);
		return undefined;
	}
	const { version, skills, ...roots } = await readSkillLock(file ?? LOCK_FILE);
	return { version, skills, ...(!locked && roots) };
}

/** Also a link that leads nowhere: somebody meant a lock to be there. */
export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** The lock's path, as it is shown. */
export const lockName = ({ lock = LOCK_FILE }: LockFlags): string => printableLine(lock, 200);

import { readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isOwnGroup } from "./own-group.js";
import { isAtOrBelow } from "./segments.js";
import { type Step, wayTo } from "./way-to.js";

const WRITABLE_BY_ALL = 0o002;
const WRITABLE_BY_GROUP = 0o020;
const STICKY = 0o1000;

/**
 * Why what lies at an absolute path may be another user's doing, as a clause and what to do: something on the way there, as it is spelt and as links
 * lead, belongs to somebody else than this user and root, or others may write it. A sticky directory keeps what is in it from others, if it belongs to
 * this user or to root; not what is not there yet, and not at or below `root`, where a new name would count, too.
 *
 * To be asked before the path is resolved: once nobody else can change the way, it leads where it then leads. Access lists are not seen, except that
 * they show as a group that may write. Root is held to the same: whoever owns a directory says what root finds there.
 */
export function openToOthers(path: string, root?: string): string | undefined {
	// Modes and owners are made up there.
	if (process.platform === "win32") return undefined;
	return unlessUnknown(path, () => {
		const { steps, end } = wayTo(path);
		for (const step of steps) {
			const flaw = flawOfStep(step, root);
			if (flaw !== undefined) return flaw;
		}
		return flawOfMode(end);
	});
}

/**
 * The same of everything in a directory that itself is closed to others, links out of it included; into directories that those lead to it does not
 * look. As long as there is much in it this takes time: some milliseconds for a thousand files.
 */
export function contentsOpenToOthers(directory: string, root: string): string | undefined {
	if (process.platform === "win32") return undefined;
	return unlessUnknown(directory, () => {
		for (const entry of readdirSync(directory, { withFileTypes: true })) {
			const path = join(directory, entry.name);
			const refusal = openToOthers(path, root) ?? (entry.isDirectory() ? contentsOpenToOthers(path, root) : undefined);
			if (refusal !== undefined) return refusal;
		}
		return undefined;
	});
}

/** Whether it belongs to this process's user or to root, who may do everything anyway. */
function isOwn({ uid }: Pick<Stats, "uid">): boolean {
	const own = process.geteuid?.();
	return own === undefined || uid === own || uid === 0;
}

/**
 * Who else than this user and root may write a file or a directory by its own owner and mode: the user it belongs to (`"owner"`), or a group or everybody
 * (`"others"`). For what was made for this user alone: no group is taken for one of nobody else. On Windows nobody.
 */
export function otherWriter(stats: Pick<Stats, "uid" | "mode">): "owner" | "others" | undefined {
	if (process.platform === "win32") return undefined;
	if (!isOwn(stats)) return "owner";
	return (stats.mode & (WRITABLE_BY_ALL | WRITABLE_BY_GROUP)) === 0 ? undefined : "others";
}

function flawOfStep({ path, directory, stats }: Step, root: string | undefined): string | undefined {
	if (stats !== undefined && !isOwn(stats))
		return `${JSON.stringify(path)} belongs to another user (number ${stats.uid}), who decides what lies there. Take a place of your own, or make it yours (chown)`;
	if (directory === undefined) return undefined;
	const isKept = ((directory.stats?.mode ?? 0) & STICKY) !== 0 && stats !== undefined;
	return isKept && !(root !== undefined && isAtOrBelow(directory.path, root)) ? undefined : flawOfMode(directory);
}

function flawOfMode({ path, stats }: Step): string | undefined {
	if (stats === undefined) return undefined;
	const { mode, gid } = stats;
	if ((mode & WRITABLE_BY_ALL) !== 0) return `every user may write ${JSON.stringify(path)}. Take that right away (chmod o-w)`;
	if ((mode & WRITABLE_BY_GROUP) === 0 || isOwnGroup(gid)) return undefined;
	return `the group ${gid}, which others may be in, may write ${JSON.stringify(path)}. Take that right away (chmod g-w)`;
}

function unlessUnknown(path: string, look: () => string | undefined): string | undefined {
	try {
		return look();
	} catch (error) {
		const reason = (error as NodeJS.ErrnoException).code ?? String(error);
		return `nobody can tell who may write on the way to ${JSON.stringify(path)} (${reason}). Check the permissions there`;
	}
}

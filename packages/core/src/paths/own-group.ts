import { readFileSync } from "node:fs";

/** Who is in it acts as root: group 0, and on macOS `admin`, whose members may become root. */
const ROOTS_GROUPS: readonly number[] = process.platform === "darwin" ? [0, 80] : [0];

/**
 * Whether nobody but this user and root is in a group: it is root's, or the user's own as many systems make one for each user, by the user's number,
 * and let it write what the user makes. What directories on a network say of groups is not asked, so no other group is taken for one of nobody else.
 */
export function isOwnGroup(gid: number): boolean {
	if (ROOTS_GROUPS.includes(gid)) return true;
	const uid = process.geteuid?.();
	return gid === uid && gid === process.getegid?.() && !hasOthers(gid, uid, textOf("/etc/group"), textOf("/etc/passwd"));
}

/** Whether the system's lists put somebody else into a group: as one of its members, or as a user whose first group it is. Pure. */
export function hasOthers(gid: number, uid: number, groups: string, users: string): boolean {
	const rows = (text: string): readonly (readonly string[])[] => text.split("\n").map((line) => line.trim().split(":"));
	const accounts = rows(users).filter(([, , id, first]) => isNumber(id) && isNumber(first));
	const own = accounts.filter(([, , id]) => Number(id) === uid || Number(id) === 0).map(([name]) => name);
	if (accounts.some(([name, , , first]) => Number(first) === gid && !own.includes(name))) return true;
	return rows(groups)
		.filter(([, , id]) => isNumber(id) && Number(id) === gid)
		.some(([, , , members = ""]) => members.split(",").some((name) => name !== "" && !own.includes(name)));
}

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d+$/.test(text);

/** Empty where there is none: a container's user often is in no list. */
function textOf(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}

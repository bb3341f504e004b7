import type { Stats } from "node:fs";

export const MAY = { read: 4, write: 2, search: 1 } as const;

const STICKY = 0o1000;

/**
 * Whether the mode of a file of the host's lets a script do all of `bits`. Inside even root has no more than its own bits: all capabilities
 * are dropped. Access control lists are not looked at.
 */
export function permits({ mode, uid, gid }: Stats, bits: number): boolean {
	const shift = uid === process.getuid?.() ? 6 : [process.getgid?.(), ...(process.getgroups?.() ?? [])].includes(gid) ? 3 : 0;
	return ((mode >> shift) & bits) === bits;
}

/** Whether a directory in which everybody may write keeps this file for its owner. */
export function isKept(file: Stats, directory: Stats): boolean {
	const me = process.getuid?.();
	return (directory.mode & STICKY) !== 0 && file.uid !== me && directory.uid !== me;
}

/** A mode as `ls` and `chmod` give it, with the owner. */
const shownMode = ({ mode, uid }: Stats): string => `mode ${(mode & 0o7777).toString(8).padStart(4, "0")}, owner ${uid}`;

export const byPermissions = (path: string, stats: Stats): string =>
	`the permissions of ${path} (${shownMode(stats)}), and inside there are no capabilities`;

import { statfsSync } from "node:fs";

/**
 * File systems of Linux whose times of change the kernel sets, from its own clock, and no call lets anybody else set: ext2 to ext4, XFS, Btrfs, ZFS, F2FS,
 * bcachefs, tmpfs, and overlays, of whose layers the system tells nothing. Not those where a server, a program or the time of modification says when something was changed (NFS, FUSE, FAT).
 */
const KEEPING: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x01021994, 0x794c7630]);

/** Whether whoever owns a file there cannot set when it was last changed. False where nobody can tell, and everywhere but on Linux. */
export function keepsChangeTimes(directory: string): boolean {
	if (process.platform !== "linux") return false;
	try {
		return KEEPING.has(statfsSync(directory).type);
	} catch {
		return false;
	}
}

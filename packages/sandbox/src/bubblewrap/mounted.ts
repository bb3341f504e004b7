import { type BigIntStats, closeSync, fstatSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";

/** Linux's O_PATH | O_NOFOLLOW | O_CLOEXEC, which Node does not name: neither needs the right to read nor waits for a pipe's writer. */
export const O_PATH = 0o10000000;
export const O_NOFOLLOW = 0o400000;
export const O_CLOEXEC = 0o2000000;

/** `<device>:<inode>`, in decimal digits. While somebody holds the file it is nobody else's. */
export function identityOf(fd: number): string {
	const { dev, ino }: BigIntStats = fstatSync(fd, { bigint: true });
	return `${dev}:${ino}`;
}

/** What lies at absolute paths in the file system of another process. */
export class MountedFiles {
	readonly #directories = new Map<string, number>();

	/** Throws the file system's error: EACCES where this process must not look into that one. */
	constructor(pid: number) {
		this.#directories.set("/", openSync(`/proc/${pid}/root`, O_PATH | O_CLOEXEC));
	}

	/**
	 * Throws the file system's error for what is not there, and for a path that crosses a link: a link that begins with a slash would be
	 * followed here from the host's own root.
	 */
	identityAt(path: string): string {
		const fd = this.#open(path);
		try {
			return identityOf(fd);
		} finally {
			closeSync(fd);
		}
	}

	close(): void {
		for (const fd of this.#directories.values()) closeSync(fd);
		this.#directories.clear();
	}

	/** Name by name, as only the last name of a path is kept from being followed. */
	#open(path: string): number {
		const parent = this.#directory(dirname(path));
		return openSync(`/proc/self/fd/${parent}/${basename(path) || "."}`, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	}

	#directory(path: string): number {
		const known = this.#directories.get(path);
		if (known !== undefined) return known;
		const fd = this.#open(path);
		this.#directories.set(path, fd);
		return fd;
	}
}

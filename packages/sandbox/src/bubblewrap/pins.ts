import { closeSync, openSync, readlinkSync, statSync } from "node:fs";
import { type SandboxRefusalCode, SandboxUnavailableError } from "@robot-lab/core";
import type { BubblewrapHost } from "./bubblewrap-host.js";
import { GO, LOOK } from "./inner-shell.js";
import type { Mount } from "./mount-plan.js";
import { identityOf, MountedFiles, O_CLOEXEC, O_NOFOLLOW, O_PATH } from "./mounted.js";

/** The files and directories that a run's mounts were planned with. */
export interface Pins {
	/** What the shell inside is answered, the first process of a sandbox whose mounts are made: whether they are of what was pinned. Never throws. */
	answer(pid: number): string;
	/** Idempotent, never throws. */
	close(): void;
}

/** A mount inside and what it has to be of. */
interface Pin {
	readonly path: string;
	/** `<device>:<inode>`, in decimal digits. */
	readonly identity: string;
}

/** By absolute paths: what a grant or an environment names must not choose what checks. */
const STAT_PROGRAMS = ["/usr/bin/stat", "/bin/stat", "/run/current-system/sw/bin/stat", "/run/current-system/profile/bin/stat"];

/**
 * Holds on to what is to be mounted, and proves that no link leads to it. bwrap finds it again by its name, which another run may
 * have given to a link meanwhile; before anything of the script's is run, device and inode tell. As long as a file is held its inode is
 * nobody else's.
 *
 * Throws a SandboxUnavailableError: `grant_changed` for what is no longer where it was found, `backend_missing` without `stat`.
 */
export function pinMounts(mounts: readonly Mount[]): Pins {
	const fds: number[] = [];
	const close = (): void => fds.splice(0).forEach((fd) => void closeSync(fd));
	try {
		const pins = mounts.flatMap((mount) => ("source" in mount ? [pin(mount, fds)] : []));
		const stat = findStat();
		return { answer: (pid) => answerFor(pid, pins, stat), close };
	} catch (error) {
		close();
		throw error;
	}
}

type Bind = Extract<Mount, { readonly source: string }>;

function pin({ path, source }: Bind, fds: number[]): Pin {
	try {
		const fd = openSync(source, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		fds.push(fd);
		// The kernel's own name for it: another one than was asked for means that a link was crossed.
		if (readlinkSync(`/proc/self/fd/${fd}`) !== source || /\n/.test(path)) throw changed(source);
		return { path, identity: identityOf(fd) };
	} catch (cause) {
		throw SandboxUnavailableError.isInstance(cause) ? cause : changed(source, cause);
	}
}

/** Looked at from here, for that costs a fraction of a program that looks from inside; which has to where this process must not, as with a setuid bwrap. */
function answerFor(pid: number, pins: readonly Pin[], stat: string): string {
	let mounted: MountedFiles | undefined;
	try {
		mounted = new MountedFiles(pid);
		return pins.every(({ path, identity }) => mounted?.identityAt(path) === identity) ? GO : "";
	} catch (error) {
		return mounted === undefined && isForbidden(error) ? `${LOOK}${pinList(stat, pins)}` : "";
	} finally {
		mounted?.close();
	}
}

function isForbidden(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === "EACCES" || code === "EPERM";
}

/**
 * The program that tells devices and inodes, and for each mount its identity and its path, a line each. No path holds a newline:
 * `pin` refuses those that do.
 */
function pinList(stat: string, pins: readonly Pin[]): string {
	return [stat, ...pins.flatMap(({ path, identity }) => [identity, path])].map((line) => `${line}\n`).join("");
}

/** Throws a SandboxUnavailableError (`grant_changed`) unless every path is still its own real path, as those of a grant are. */
export function checkReal(paths: readonly string[], host: BubblewrapHost): void {
	const moved = paths.find((path) => (host.realPaths.get(path) ?? path) !== path);
	if (moved !== undefined) throw changed(moved);
}

let foundStat: string | undefined;

function findStat(): string {
	foundStat ??= STAT_PROGRAMS.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
	if (foundStat !== undefined) return foundStat;
	throw new SandboxUnavailableError(
		"backend_missing",
		`What is mounted for a script cannot be checked: there is none of ${STAT_PROGRAMS.join(", ")}. Install coreutils.`,
	);
}

/** What a run is refused with that found something else than was granted. */
export const GRANT_CHANGED: Extract<SandboxRefusalCode, "grant_changed"> = "grant_changed";

/** In words, for a path or for whatever it was. */
export const changedMessage = (what: string): string =>
	`${what} changed while the run was being set up, or a symbolic link leads to it; nothing was run. Run it again.`;

const changed = (path: string, cause?: unknown): SandboxUnavailableError =>
	new SandboxUnavailableError(GRANT_CHANGED, changedMessage(JSON.stringify(path)), { cause });

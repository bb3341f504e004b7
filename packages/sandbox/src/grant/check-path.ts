import { SandboxUnavailableError } from "@robot-lab/core";
import { isAtOrBelow, segmentsOf } from "@robot-lab/core/paths";

/** Less than what the profile reader can hold, counted with the escapes. */
const MAX_PATH_BYTES = 1000;
/** A pattern says each directory above a protected name in six bytes, and a profile reader holds 1,025 in one text. */
const MAX_PROTECTED_DEPTH = 100;
const DATA_VOLUME = "/System/Volumes/Data";

/**
 * Throws a SandboxUnavailableError (`invalid_grant`) for a path that cannot be written into a profile as it is.
 * Letters outside ASCII are written as UTF-8: a reader that did not take them would reject the profile, which runs nothing.
 */
export function checkPath(path: string, what: string): void {
	const flaw = flawOf(path);
	if (flaw !== undefined) refuse(path, what, `${flaw}; use another path`);
	if (holdsDataVolume(path)) refuse(path, what, `it contains the whole disk as ${DATA_VOLUME}; name what is needed below it`);
}

/** Throws a SandboxUnavailableError (`invalid_grant`) for a path that must not be made writable. */
export function checkWritable(path: string, home: string): void {
	if (path === "/" || path === DATA_VOLUME) refuse(path, "fs_write", "it is the whole disk; grant the directory that is written");
	if (isAtOrBelow(home, path)) {
		const what = path === home ? "is the home directory: keys, start-up files and agents lie there" : "contains the home directory";
		refuse(path, "fs_write", `it ${what}; grant the directory that is written`);
	}
}

/** Throws a SandboxUnavailableError (`invalid_grant`) for a path to write so deep that no rule of a profile can protect names in it. */
export function checkProtectable(path: string): void {
	if (segmentsOf(path).length <= MAX_PROTECTED_DEPTH) return;
	refuse(
		path,
		"fs_write",
		`it lies more than ${MAX_PROTECTED_DEPTH} directories deep, where git hooks and the like cannot be protected; grant another, or set sandbox.protect to false`,
	);
}

/** Throws a SandboxUnavailableError (`invalid_grant`) when reading a skill would mean reading the home directory. */
export function checkSkillDirectory(path: string, home: string): void {
	if (path === DATA_VOLUME || isAtOrBelow(home, path))
		refuse(path, "the skill's directory", "it is or contains the home directory; move the bundle into a directory of its own");
}

/** Whether what nobody asked for by name would open the home directory, or the disk by its other name. */
export function reachesHome(path: string, home: string): boolean {
	return isAtOrBelow(home, path) || path === DATA_VOLUME || holdsDataVolume(path);
}

/** Whether a path that does not say so opens the disk by its other name. Letters of either case are the same to most Macs. */
function holdsDataVolume(path: string): boolean {
	const [folded, volume] = [path.toLowerCase(), DATA_VOLUME.toLowerCase()];
	return path !== "/" && folded !== volume && isAtOrBelow(volume, folded);
}

function flawOf(path: string): string | undefined {
	if (/\p{Cc}/u.test(path)) return "it contains a control character";
	if (/\p{Surrogate}|\u{FFFD}/u.test(path)) return "it is not Unicode text";
	if (!path.startsWith("/")) return "it is not absolute";
	if (path !== "/" && /\/(\.{0,2})(\/|$)/.test(path)) return "it is not spelt as a real path: it has empty, . or .. names";
	if (Buffer.byteLength(path.replace(/["\\]/g, "\\$&")) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
	return undefined;
}

function refuse(path: string, what: string, why: string): never {
	const shown = JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
	throw new SandboxUnavailableError("invalid_grant", `The script cannot be confined with ${what} ${shown}: ${why}.`);
}

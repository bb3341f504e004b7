import { fstatSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { isAtOrBelow } from "./segments.js";

/** Thrown for a file that was opened and does not lie where it has to. */
export class LeadsOutError extends Error {
	readonly code = "leads_out";
	/** Where it lies, absent where nobody knows. */
	declare readonly place?: string;

	constructor(path: string, place: string | undefined) {
		super(`${JSON.stringify(path)} leads out of where it has to lie`);
		if (place !== undefined) this.place = place;
	}
}

/**
 * Throws a {@link LeadsOutError} for an open file that does not lie at or below a directory. To be asked before anything is read of it: a path that
 * was looked at first may lead elsewhere by the time that it is opened. On Linux the kernel says where the open file is, and nobody can change that
 * answer by links; a file that was removed is refused. Elsewhere its path is resolved again, which a link that is exchanged there and back can deceive.
 *
 * @param file The descriptor.
 * @param path What was opened.
 * @param within The directory's real path.
 */
export function assertOpenedWithin(file: number, path: string, within: string): void {
	const place = asksKernel() ? placeByKernel(file) : placeByName(file, path);
	if (place === undefined || !isAtOrBelow(place, within)) throw new LeadsOutError(path, place);
}

const DESCRIPTORS = "/proc/self/fd";
const REMOVED = " (deleted)";

/** Not where `/proc` is not mounted. What it says of one file must not decide: somebody may have made that path too long to be told. */
let hasDescriptors: boolean | undefined;
function asksKernel(): boolean {
	hasDescriptors ??= process.platform === "linux" && lstatSync(DESCRIPTORS, { throwIfNoEntry: false }) !== undefined;
	return hasDescriptors;
}

function placeByKernel(file: number): string | undefined {
	try {
		const place = readlinkSync(`${DESCRIPTORS}/${file}`);
		// An ordinary file may be called like that, too.
		return place.endsWith(REMOVED) && !isSameFile(fstatSync(file), lstatSync(place, { throwIfNoEntry: false })) ? undefined : place;
	} catch {
		return undefined;
	}
}

function placeByName(file: number, path: string): string | undefined {
	const real = realpathSync.native(path);
	return isSameFile(fstatSync(file), lstatSync(real)) ? real : undefined;
}

interface FileIdentity {
	readonly dev: number;
	readonly ino: number;
}

const isSameFile = (one: FileIdentity, other: FileIdentity | undefined): boolean => one.dev === other?.dev && one.ino === other.ino;

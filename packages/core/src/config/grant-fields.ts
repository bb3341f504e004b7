import type { Section } from "./check.js";
import { flag, MAX_TIMEOUT_SECONDS, paths, wholeNumber } from "./value-checks.js";

/** What the ceiling bounds and a grant may hold, but for the limits. */
export const REACH: Section = { fsRead: paths, fsWrite: paths, network: flag, timeout: wholeNumber("seconds", 1, MAX_TIMEOUT_SECONDS) };

export const LIMITS: Section = {
	memoryMb: wholeNumber("MiB", 1),
	processes: wholeNumber("processes", 1),
	fileSizeMb: wholeNumber("MiB", 1),
	cpuSeconds: wholeNumber("seconds", 1),
	outputBytes: wholeNumber("bytes", 1),
};

/** What a bundle can be granted: what the ceiling bounds. */
export const GRANT_FIELDS: Section = { ...REACH, limits: LIMITS };

/** Where programs of the system lie. An interpreter in one of these needs nothing opened for it. */
export const SYSTEM_PROGRAMS: readonly string[] = [
	"/bin",
	"/sbin",
	"/usr/bin",
	"/usr/sbin",
	"/usr/libexec",
	"/System/Library",
	"/Library/Developer/CommandLineTools",
];

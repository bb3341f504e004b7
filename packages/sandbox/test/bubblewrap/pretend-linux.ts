import type { BubblewrapHost } from "../../src/bubblewrap/bubblewrap-host.js";

/** A Linux computer that is not this one: a distribution with everything in /usr, a user at home. */
export function pretendLinux(change: Partial<BubblewrapHost> = {}): BubblewrapHost {
	return {
		home: "/home/u",
		uid: 1001,
		gid: 100,
		userName: "u",
		systemDirectories: new Map([
			["/usr", undefined],
			["/bin", "usr/bin"],
			["/lib", "usr/lib"],
		]),
		systemFiles: new Map([
			["/etc/hosts", "/etc/hosts"],
			["/etc/localtime", "/usr/share/zoneinfo/UTC"],
		]),
		toolRoots: [],
		links: new Map(),
		existing: new Set(["/skills/s"]),
		filesOnTheWay: new Set(),
		realPaths: new Map(),
		...change,
	};
}

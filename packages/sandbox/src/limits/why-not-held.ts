import type { KernelLimit, LimitHost } from "./limit-host.js";

/** Why scripts cannot be held to a limit here and what would change that, as a clause; `undefined` where they are held to it. A pure function. */
export function whyNotHeld(name: KernelLimit, host: LimitHost): string | undefined {
	const { platform, setter } = host;
	if (platform !== "linux" && platform !== "darwin") return `that is done on Linux and macOS only, and this is ${platform}`;
	if (name === "memoryMb" && platform === "darwin") return "macOS takes a limit of address space and does not hold programs to it";
	const uncounted = name === "processes" ? whyNotCounted(host) : undefined;
	if (uncounted !== undefined || setter !== undefined) return uncounted;
	if (platform === "darwin") return "the limits that /bin/sh is to set are not set then";
	return 'prlimit, which sets limits, is not in /usr/bin or does not set them; install the package "util-linux" of the distribution';
}

function whyNotCounted({ strategy, platform, isRoot, counted }: LimitHost): string | undefined {
	if (strategy !== "bubblewrap") {
		const step = platform === "linux" ? "; only bubblewrap has them counted apart, for a host that is not root" : "";
		return `the system counts the script's processes together with all others of the host's user${step}`;
	}
	switch (counted) {
		case "script":
			return undefined;
		case "user":
			return "this kernel counts the script's processes together with all others of the host's user; Linux 5.14 and newer count them apart";
		case "nobody":
			if (isRoot) return "the kernel lets root start any number, inside bubblewrap too; run the host as another user";
			return "the kernel was tried, and refused none";
	}
}

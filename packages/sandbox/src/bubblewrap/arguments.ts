import type { BubblewrapHost } from "./bubblewrap-host.js";
import type { AccountsPath, Mount, MountPlan } from "./mount-plan.js";

/** What this bwrap can do that older ones cannot. */
export interface BubblewrapFeatures {
	/** `--disable-userns`, from 0.8 on, and not where bwrap is installed setuid. */
	readonly disableUserns: boolean;
	/** `--size`, from 0.7 on. */
	readonly size: boolean;
}

/** The descriptors that bwrap is handed, by their numbers there. */
export const DESCRIPTORS = { arguments: 3, seccomp: 4, status: 5, passwd: 6, group: 7 } as const;

/** The host's own would tell who has an account there, and nothing about the user inside. */
const ACCOUNTS: Readonly<Record<AccountsPath, number>> = { "/etc/passwd": DESCRIPTORS.passwd, "/etc/group": DESCRIPTORS.group };

export interface ArgumentsInput {
	readonly plan: MountPlan;
	readonly host: BubblewrapHost;
	readonly network: boolean;
	readonly cwd: string;
	/** The script's whole environment. */
	readonly environment: Readonly<Record<string, string>>;
	readonly features: BubblewrapFeatures;
}

/** Bytes that /tmp, /dev/shm and the home directory may take up each: they are memory. */
const EMPTY_BYTES = 256 * 1024 * 1024;

/** What bwrap is told, all but the command. A pure function. */
export function bubblewrapArguments(input: ArgumentsInput): readonly string[] {
	const { plan, features } = input;
	const [root, rest] = rootFirst(plan.mounts);
	return [
		...namespaces(input),
		...environmentOf(input),
		...root.flatMap((mount) => mounting(mount, features)),
		...["--proc", "/proc", "--dev", "/dev", ...emptyDirectory("/dev/shm", 0o1777, features)],
		...rest.flatMap((mount) => mounting(mount, features)),
		// What is written into /proc counts for the host: as root, vm.swappiness and core_pattern do (measured). /dev and / are memory without a bound.
		...["/proc", "/dev", "/"].flatMap((path) => ["--remount-ro", path]),
		...["--chdir", input.cwd],
		...["--seccomp", String(DESCRIPTORS.seccomp)],
	];
}

/** The host's root, when it was granted, comes before everything that is mounted over it. */
function rootFirst(mounts: readonly Mount[]): readonly [readonly Mount[], readonly Mount[]] {
	return [mounts.filter(({ path }) => path === "/"), mounts.filter(({ path }) => path !== "/")];
}

function namespaces({ host, network, features }: ArgumentsInput): readonly string[] {
	return [
		"--unshare-user",
		...["--uid", String(host.uid), "--gid", String(host.gid)],
		...(features.disableUserns ? ["--disable-userns"] : []),
		"--unshare-pid",
		"--as-pid-1",
		"--unshare-ipc",
		"--unshare-uts",
		"--unshare-cgroup-try",
		...(network ? [] : ["--unshare-net"]),
		...["--cap-drop", "ALL"],
		"--new-session",
		"--die-with-parent",
	];
}

function environmentOf({ environment, host, plan }: ArgumentsInput): readonly string[] {
	const isOurs = plan.mounts.some(({ kind }) => kind === "accounts");
	const own = isOurs ? { USER: host.userName, LOGNAME: host.userName } : {};
	const variables = Object.entries({ ...environment, ...own });
	return ["--clearenv", ...variables.flatMap(([name, value]) => ["--setenv", name, value])];
}

function mounting(mount: Mount, features: BubblewrapFeatures): readonly string[] {
	switch (mount.kind) {
		case "read":
			return ["--ro-bind", mount.source, mount.path];
		case "write":
			return ["--bind", mount.source, mount.path];
		case "link":
			return ["--symlink", mount.target, mount.path];
		case "accounts":
			return ["--perms", "0444", "--file", String(ACCOUNTS[mount.path]), mount.path];
		case "directory":
			return ["--dir", mount.path];
		case "empty":
			return emptyDirectory(mount.path, mount.mode, features);
	}
}

function emptyDirectory(path: string, mode: number, features: BubblewrapFeatures): readonly string[] {
	const size = features.size ? ["--size", String(EMPTY_BYTES)] : [];
	return ["--perms", mode.toString(8).padStart(4, "0"), ...size, "--tmpfs", path];
}

import { type Capabilities, SandboxUnavailableError } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { type AccessStep, ancestorsOf, planAccess, shallowFirst, waysToReadOnly } from "../grant/access-plan.js";
import { checkPath, checkSkillDirectory, checkWritable } from "../grant/check-path.js";
import type { BubblewrapHost } from "./bubblewrap-host.js";
import { guardedPaths } from "./guarded-paths.js";

/** One thing that the script's file system is built of. */
export type Mount =
	| { readonly kind: "read" | "write"; readonly path: string; readonly source: string }
	| { readonly kind: "empty"; readonly path: string; readonly mode: number }
	| { readonly kind: "directory"; readonly path: string }
	| { readonly kind: "link"; readonly path: string; readonly target: string }
	/** A file of accounts with the script's user in it. */
	| { readonly kind: "accounts"; readonly path: AccountsPath };

export type AccountsPath = (typeof ACCOUNTS)[number];

export interface MountPlan {
	/** In the order in which they are made. */
	readonly mounts: readonly Mount[];
	/** What holds less than was asked for, in words. */
	readonly notes: readonly string[];
	/** Protected names that do not exist, so that nothing can be mounted over them. */
	readonly missing: readonly string[];
}

export interface MountRequest {
	readonly grant: Capabilities;
	readonly skillDir: string;
	readonly cwd: string;
	readonly scratchDir: string | undefined;
	/** Whether files by which a script could have the host run code later are read-only. */
	readonly protect: boolean;
	readonly host: BubblewrapHost;
}

const TEMPORARY = "/tmp";
const ACCOUNTS = ["/etc/passwd", "/etc/group"] as const;

/** Made anew inside, whatever is granted. */
const KERNEL_PATHS = ["/proc", "/dev"];
/** What a fresh /dev has too, and what of the host's is an ordinary directory. */
export const STANDARD_DEVICES: readonly string[] = ["/dev/full", "/dev/null", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero"];
const SHARED_MEMORY = "/dev/shm";

/**
 * The file system that a grant means. A pure function: the same grant in any order gives the same plan.
 *
 * Throws a SandboxUnavailableError: `invalid_grant` for a path that must not be granted, `grant_not_expressible` for one that mounts
 * cannot grant.
 */
export function planMounts(request: MountRequest): MountPlan {
	const { host } = request;
	const granted = grantedPaths(request);
	const guarded = guardedPaths({
		write: granted.write.filter((path) => path !== request.scratchDir),
		protect: request.protect,
		host,
	});
	const steps = planAccess({ read: [...granted.read, ...guarded.present], write: granted.write });
	const roots = new Set(steps.map(({ path }) => path));
	const visible = (path: string): boolean => roots.has(path) || ancestorsOf(path).some((above) => roots.has(above));
	const binds = [...steps, ...pinned(steps)].map(({ path, access }): Mount => ({ kind: access, path, source: path }));
	const empty = [...new Set([TEMPORARY, host.home])].filter((path) => path !== "/" && !visible(path));
	return {
		mounts: [
			...byDepth([...binds, ...empty.map((path): Mount => ({ kind: "empty", path, mode: path === TEMPORARY ? 0o1777 : 0o700 }))]),
			...systemFiles(host, visible),
			...(visible(request.cwd) ? [] : [{ kind: "directory", path: request.cwd } as const]),
			...ACCOUNTS.filter((path) => !visible(path)).map((path): Mount => ({ kind: "accounts", path })),
			...links(host, visible),
		],
		notes: guarded.notes,
		missing: guarded.missing,
	};
}

interface GrantedPaths {
	readonly read: readonly string[];
	readonly write: readonly string[];
}

function grantedPaths({ grant, skillDir, scratchDir, host }: MountRequest): GrantedPaths {
	const real = (path: string): string => host.realPaths.get(path) ?? path;
	const skill = real(skillDir);
	const asked = { read: grant.fsRead.map(real), write: grant.fsWrite.map(real) };
	for (const path of asked.read) checkGranted(path, "fs_read");
	for (const path of asked.write) checkGranted(path, "fs_write");
	for (const path of asked.write) checkMountable(path, host);
	checkPath(skill, "the skill's directory");
	if (!asked.read.some((root) => isAtOrBelow(host.home, root))) checkSkillDirectory(skill, host.home);
	const system = [...host.systemDirectories].flatMap(([path, target]) => (target === undefined ? [path] : []));
	// Nobody asked for these by name, so they never reach the home directory.
	const tools = host.toolRoots.filter((path) => !isAtOrBelow(host.home, path));
	const there = (path: string): boolean => host.existing.has(path) && !STANDARD_DEVICES.includes(path);
	return {
		read: [...system, ...[...asked.read, skill, ...tools].filter(there)],
		write: [...asked.write.filter(there), ...(scratchDir === undefined ? [] : [real(scratchDir)])],
	};
}

function checkGranted(path: string, what: string): void {
	checkPath(path, what);
	const kernel = KERNEL_PATHS.find((root) => isAtOrBelow(path, root));
	if (kernel === undefined || STANDARD_DEVICES.includes(path) || (isAtOrBelow(path, SHARED_MEMORY) && path !== SHARED_MEMORY)) return;
	notExpressible(path, what, `a script under bubblewrap has a ${kernel} of its own, and the host's would show what is not its business`);
}

function checkMountable(path: string, host: BubblewrapHost): void {
	checkWritable(path, host.home);
	if (!host.existing.has(path))
		notExpressible(path, "fs_write", "it does not exist, and bubblewrap can open only what does; create it first");
}

function notExpressible(path: string, what: string, why: string): never {
	throw new SandboxUnavailableError("grant_not_expressible", `The script cannot be confined with ${what} ${JSON.stringify(path)}: ${why}.`);
}

/** Directories above something read-only, mounted on themselves: a mount cannot be renamed, and renaming one would put another in its place. */
function pinned(steps: readonly AccessStep[]): readonly Pick<AccessStep, "path" | "access">[] {
	const roots = new Set(steps.map(({ path }) => path));
	const ways = waysToReadOnly(steps).filter((path) => !roots.has(path));
	return ways.map((path) => ({ path, access: "write" }));
}

function byDepth(mounts: readonly Mount[]): readonly Mount[] {
	const order = new Map(shallowFirst(mounts.map(({ path }) => path)).map((path, index) => [path, index]));
	return [...mounts].sort((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0));
}

function systemFiles(host: BubblewrapHost, visible: (path: string) => boolean): readonly Mount[] {
	const wanted = [...host.systemFiles].filter(([path]) => !visible(path));
	// A link costs less than a mount, as for /etc/localtime, which lies in /usr.
	return wanted.map(([path, source]) => (visible(source) ? { kind: "link", path, target: source } : { kind: "read", path, source }));
}

/** Other spellings of what is granted. Only where the script's file system is ours: elsewhere they are there already, or would be made on the host. */
function links(host: BubblewrapHost, visible: (path: string) => boolean): readonly Mount[] {
	const system = [...host.systemDirectories].flatMap(([path, target]) => (target === undefined ? [] : [[path, target] as const]));
	const all = new Map([...system, ...host.links]);
	const isOurs = (path: string): boolean => !visible(path) && !KERNEL_PATHS.some((root) => isAtOrBelow(path, root));
	return shallowFirst([...all.keys()].filter(isOurs)).map((path) => ({
		kind: "link",
		path,
		target: all.get(path) ?? "",
	}));
}

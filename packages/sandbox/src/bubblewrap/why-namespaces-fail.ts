/** What keeps this process from making namespaces, as far as the system tells. */
export interface NamespaceObstacle {
	/** Whether this process runs inside a sandbox or a container itself. */
	readonly isNested: boolean;
	/** What to do, in a sentence, or nothing. */
	readonly hint: string;
}

const SWITCHES: readonly (readonly [path: string, off: string, hint: string])[] = [
	[
		"/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		"1",
		"AppArmor keeps programs without a profile from user namespaces: give bwrap a profile with the rule userns, or set kernel.apparmor_restrict_unprivileged_userns=0.",
	],
	["/proc/sys/kernel/unprivileged_userns_clone", "0", "Set kernel.unprivileged_userns_clone=1."],
	["/proc/sys/user/max_user_namespaces", "0", "Set user.max_user_namespaces to more than 0."],
];

/** A user's numbers map to themselves in the first user namespace, and in no other. */
const FIRST_NAMESPACE = /^\s*0\s+0\s+4294967295\s*$/;

/** @param read The text of a file of /proc, or `undefined` when it cannot be read. */
export function whyNamespacesFail(read: (path: string) => string | undefined): NamespaceObstacle {
	const map = read("/proc/self/uid_map");
	const isFiltered = /^Seccomp:\s*2$/m.test(read("/proc/self/status") ?? "");
	if (isFiltered || (map !== undefined && !FIRST_NAMESPACE.test(map))) {
		return {
			isNested: true,
			hint: "This process runs inside a sandbox or a container, which allows no other in it. Run the host outside of it.",
		};
	}
	const off = SWITCHES.find(([path, value]) => read(path) === value);
	return { isNested: false, hint: off?.[2] ?? "" };
}

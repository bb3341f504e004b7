/** How many operands each option of bwrap's takes that is used here. */
const OPERANDS: ReadonlyMap<string, number> = new Map([
	...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--unshare-net", "--disable-userns"].map(
		(option) => [option, 0] as const,
	),
	...["--as-pid-1", "--new-session", "--die-with-parent", "--clearenv"].map((option) => [option, 0] as const),
	...["--uid", "--gid", "--cap-drop", "--perms", "--size", "--seccomp", "--chdir"].map((option) => [option, 1] as const),
	...["--tmpfs", "--dir", "--proc", "--dev", "--remount-ro"].map((option) => [option, 1] as const),
	...["--ro-bind", "--bind", "--symlink", "--file", "--setenv"].map((option) => [option, 2] as const),
]);

/** What bwrap is told, as options with their operands. Throws an Error for an option that is not used here. */
export function bubblewrapOptions(args: readonly string[]): readonly (readonly string[])[] {
	const options: (readonly string[])[] = [];
	for (let at = 0; at < args.length; ) {
		const count = OPERANDS.get(args[at] ?? "");
		if (count === undefined) throw new Error(`nobody said what bwrap's option ${args[at]} takes`);
		options.push(args.slice(at, at + 1 + count));
		at += 1 + count;
	}
	return options;
}

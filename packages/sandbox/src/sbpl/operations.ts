/** Operations that no wildcard and no `default` reaches: unless a rule names them they are allowed. */
const ALLOWED_UNLESS_NAMED = `
	darwin-notification-post dynamic-code-generation file-clone file-link file-map-executable file-test-existence
	iokit-get-properties mach-cross-domain-lookup nvram* process-info* process-info-codesignature socket-ioctl
	system-privilege syscall-unix`;

/** Operations that nothing but a rule of their own allows. */
const DENIED_UNLESS_NAMED = "default file-write-setugid job-creation storage-class-map";

/**
 * Who asks whom: an operation without a deciding rule of its own asks the one before the colon.
 * Facts of macOS 10.15; an operation that only later systems have is unknown here, and an error.
 */
const FALLBACKS = `
	default: appleevent-send authorization-right-obtain boot-arg-set device* distributed-notification-post file* fs-rename
		fs-snapshot* generic-issue-extension qtn-user hid-control iokit* ipc* load-unsigned-code lsopen mach* network*
		opendirectory-user-modify process* pseudo-tty signal sysctl* system* user-preference*
	device*: device-camera device-microphone
	file*: file-chroot file-ioctl file-issue-extension file-mknod file-mount file-read* file-revoke file-search file-unmount file-write*
	file-mount: file-mount-update
	file-read*: file-read-data file-read-metadata file-read-xattr
	file-write*: file-write-acl file-write-create file-write-data file-write-finderinfo file-write-flags file-write-mode
		file-write-owner file-write-times file-write-unlink file-write-xattr
	fs-snapshot*: fs-snapshot-create fs-snapshot-delete fs-snapshot-revert
	iokit*: iokit-issue-extension iokit-open iokit-set-properties
	ipc*: ipc-posix* ipc-sysv*
	ipc-posix*: ipc-posix-issue-extension ipc-posix-sem* ipc-posix-shm*
	ipc-posix-sem*: ipc-posix-sem-create ipc-posix-sem-open ipc-posix-sem-post ipc-posix-sem-unlink ipc-posix-sem-wait
	ipc-posix-shm*: ipc-posix-shm-read-data ipc-posix-shm-write*
	ipc-posix-shm-write*: ipc-posix-shm-write-create ipc-posix-shm-write-data ipc-posix-shm-write-unlink
	ipc-sysv*: ipc-sysv-msg ipc-sysv-sem ipc-sysv-shm
	mach*: mach-host* mach-issue-extension mach-lookup mach-priv* mach-register mach-task-name
	mach-host*: mach-host-exception-port-set mach-host-special-port-set
	mach-priv*: mach-priv-host-port mach-priv-task-port
	network*: network-inbound network-outbound
	network-inbound: network-bind
	nvram*: nvram-delete nvram-get nvram-set
	process*: process-codesigning-status* process-exec* process-fork
	process-codesigning-status*: process-codesigning-status-get process-codesigning-status-set
	process-exec*: process-exec-interpreter
	process-info*: process-info-dirtycontrol process-info-listpids process-info-pidfdinfo process-info-pidfileportinfo
		process-info-pidinfo process-info-rusage process-info-setcontrol
	sysctl*: sysctl-read sysctl-write
	system*: system-acct system-audit system-automount system-debug system-fsctl system-info system-kext* system-mac-label
		system-nfssvc system-package-check system-reboot system-sched system-set-time system-socket system-suspend-resume system-swap
	system-kext*: system-kext-load system-kext-query system-kext-unload
	user-preference*: user-preference-read user-preference-write
	user-preference-read: managed-preference-read`;

/** What decides when no rule of the operation itself does: a built-in answer, or another operation. */
export type LastResort = { readonly terminal: true; readonly allowed: boolean } | { readonly terminal: false; readonly fallback: string };

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

function readTable(): ReadonlyMap<string, LastResort> {
	const table = new Map<string, LastResort>();
	for (const operation of words(ALLOWED_UNLESS_NAMED)) table.set(operation, { terminal: true, allowed: true });
	for (const operation of words(DENIED_UNLESS_NAMED)) table.set(operation, { terminal: true, allowed: false });
	let fallback = "";
	for (const word of words(FALLBACKS)) {
		if (word.endsWith(":")) fallback = word.slice(0, -1);
		else table.set(word, { terminal: false, fallback });
	}
	return table;
}

/** Every operation the evaluator knows. */
export const OPERATIONS: ReadonlyMap<string, LastResort> = readTable();

/** Other spellings of operations, as rules may use them. `sysctl-write` is an operation too, but a rule that names it means both. */
const RULE_ALIASES: ReadonlyMap<string, string> = new Map([
	["file-fsctl", "system-fsctl"],
	["file-issue-extension*", "file-issue-extension"],
	["file-issue-extension-read", "file-issue-extension"],
	["file-issue-extension-write", "file-issue-extension"],
	["file-unlink", "file-write-unlink"],
	["file-write-mount", "file-mount"],
	["file-write-umount", "file-unmount"],
	["file-write-unmount", "file-unmount"],
	["ipc-posix-sem", "ipc-posix-sem*"],
	["ipc-posix-shm", "ipc-posix-shm*"],
	["ipc-posix-shm-read*", "ipc-posix-shm-read-data"],
	["managed-preference*", "managed-preference-read"],
	["process-exec", "process-exec*"],
	["sysctl-write", "sysctl*"],
	["system-misc", "system*"],
	["time-set", "system-set-time"],
]);

/** Names that a profile may still use and that mean nothing any more. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["ipc-posix-shm-read-metadata", "mach-per-user-lookup", "qtn-download", "system-chud"]);

/** The operation a rule means, `"without effect"`, or `undefined` for a name nobody knows. */
export function operationOfRule(name: string): string | "without effect" | undefined {
	if (WITHOUT_EFFECT.has(name)) return "without effect";
	const operation = RULE_ALIASES.get(name) ?? name;
	return OPERATIONS.has(operation) ? operation : undefined;
}

/** The operation a question means: an operation's own name first, then another spelling of one. */
export function operationOfQuery(name: string): string | undefined {
	if (OPERATIONS.has(name)) return name;
	const operation = RULE_ALIASES.get(name);
	return operation !== undefined && OPERATIONS.has(operation) ? operation : undefined;
}

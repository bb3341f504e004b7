import { HOME, SCRATCH, SKILL, TMP } from "../pretend-mac.js";
import { ASKED_OF_OTHERS, type Check, cannot, cannotRead, DATA, device, directory, file, HIDDEN, SYSCTLS, terminal } from "./check.js";

/** What no script reads without being granted it. */
export const READ_OUTSIDE: readonly Check[] = [
	...[".ssh/id_ed25519", ".aws/credentials", "Library/Keychains/login.keychain-db", ".zsh_history", ".bash_history", ".netrc", ".gitconfig"]
		.concat(".prompts/skills/other/SKILL.md", ".prompts/skills", ".docker/config.json")
		.map((name) => cannotRead(`${HOME}/${name}`)),
	cannotRead(HOME),
	cannot("the home directory cannot be listed", "file-read-data", directory(HOME)),
	cannot("a secret's size and time cannot be seen", "file-read-metadata", file(`${HOME}/.ssh/id_ed25519`)),
	cannot("a secret's attributes cannot be seen", "file-read-xattr", file(`${HOME}/.ssh/id_ed25519`)),
	...["/Users/other/x", "/private/etc/master.passwd", "/private/etc/sudoers", "/private/var/root/x", "/Volumes/Backup/x"]
		.concat("/private/var/db/dslocal/nodes/Default/users/u.plist", "/System/Volumes/VM/swapfile0", "/usr/local/etc/my.cnf")
		.concat("/opt/homebrew/etc/my.cnf", "/Library/Preferences/SystemConfiguration/preferences.plist")
		.concat("/Library/Developer/CoreSimulator/x", "/Library/Apple/usr/libexec/other", "/private/var/select/other", "/private/var/db/other")
		.concat("/private/etc/ssl2", "/private/tmp/other", `${TMP}/other`, `${SKILL}-other/SKILL.md`)
		.map((path) => cannotRead(path)),
	...["/usr/lib", "/System/Library", "/System/Cryptexes", "/System/Volumes/Preboot", "/private/var/db/dyld", "/bin", "/sbin", "/usr/bin"]
		.concat("/usr/sbin", "/usr/libexec", "/usr/share", "/Library/Apple/usr/libexec/oah", "/Library/Developer/CommandLineTools")
		.concat("/private/var/db/timezone", "/Library/Keychains", "/private/var/db/mds", "/dev/fd", SKILL, SCRATCH)
		.map((root) => cannotRead(`${root}-alike/x`)),
	...["/dev/disk0", "/dev/bpf0"].flatMap((path) => [
		cannot(`${path} cannot be read`, "file-read-data", { path, vnodeType: "BLOCK-DEVICE" }),
		cannot(`${path} cannot be written`, "file-write-data", { path, vnodeType: "BLOCK-DEVICE" }),
	]),
	...["/dev/null", "/dev/random"].map((path) => cannotRead(path)),
];

/** What no script writes without being granted it. */
export const WRITE_OUTSIDE: readonly Check[] = [
	...[HOME, `${HOME}/.zshrc`, `${HOME}/Library/LaunchAgents/x.plist`, `${SKILL}/scripts/run.sh`, "/usr/local/bin/x", "/private/tmp/x"]
		.concat("/", "/bin/bash", "/private/etc/sudoers", "/private/var/at/tabs/u", "/dev/null", "/dev/random")
		.flatMap((path) =>
			["create", "data", "unlink", "mode", "owner", "xattr"].map((way) =>
				cannot(`no file-write-${way} of ${path}`, `file-write-${way}`, file(path)),
			),
		),
	cannot("/dev/random cannot be written", "file-write-data", device("/dev/random")),
];

/** A file out of reach cannot get a second name in reach. */
export const SECOND_NAMES: readonly Check[] = [`${HOME}/.ssh/id_ed25519`, "/private/etc/passwd", `${SKILL}/SKILL.md`, "/bin/bash"].flatMap(
	(path) => [
		cannot(`${path} cannot be given a second name`, "file-link", file(path), ASKED_OF_OTHERS),
		cannot(`${path} cannot be cloned`, "file-clone", file(path), ASKED_OF_OTHERS),
	],
);

/** Others' environments and arguments. */
export const ENVIRONMENTS: readonly Check[] = [
	...["kern.proc", "kern.proc.all", "kern.proc.pid", "kern.procargs", "kern.procargs2"].map((name) =>
		cannot(`sysctl ${name} cannot be read`, "sysctl-read", { name }, SYSCTLS),
	),
	...["pidinfo", "pidfdinfo", "pidfileportinfo", "rusage", "listpids"].map((name) =>
		cannot(`others cannot be asked for ${name}`, `process-info-${name}`, { target: "others" }, ASKED_OF_OTHERS),
	),
	...["get", "set", "delete"].map((name) =>
		cannot(`firmware variables: no ${name}`, `nvram-${name}`, { name: "boot-args" }, ASKED_OF_OTHERS),
	),
];

export const OTHER_PROCESSES: readonly Check[] = [
	...(["others", "pgrp", "children", "initproc"] as const).map((target) =>
		cannot(`processes that are ${target} cannot be signalled`, "signal", { target }),
	),
	...["setcontrol", "dirtycontrol"].map((name) =>
		cannot(`others get no ${name}`, `process-info-${name}`, { target: "others" }, ASKED_OF_OTHERS),
	),
	cannot("no task port of another process: neither its memory nor its threads", "mach-priv-task-port", { target: "others" }),
	cannot("no name of another's task", "mach-task-name", { target: "others" }),
	cannot("no port of the host", "mach-priv-host-port"),
	cannot("no exception port of the host", "mach-host-exception-port-set"),
	cannot("no tracing by dtrace and kdebug", "system-debug", { target: "others" }),
	cannot("no scheduling of others", "system-sched", { target: "others" }),
	cannot("no sysctl can be written", "sysctl-write", { name: "kern.corefile" }),
];

/** Ways to have somebody outside do it: services, programs that are opened, events. */
export const SERVICES: readonly Check[] = [
	...["SecurityServer", "securityd.xpc", "coreservices.launchservicesd", "pasteboard.1", "tccd", "windowserver.active", "diagnosticd"].map(
		(name) => cannot(`com.apple.${name} cannot be looked up`, "mach-lookup", { name: `com.apple.${name}` }),
	),
	cannot("no service of the session can be looked up", "mach-lookup", { localName: "com.apple.x" }),
	cannot("no service by XPC's name", "mach-lookup", { xpcServiceName: "com.apple.x" }),
	cannot("no service can be registered", "mach-register", { name: "x" }),
	cannot("other shared memory cannot be read", "ipc-posix-shm-read-data", { name: "other" }),
	cannot("shared memory cannot be written", "ipc-posix-shm-write-data", { name: "apple.shm.notification_center" }),
	...["lsopen", "job-creation", "appleevent-send", "iokit-open", "user-preference-read", "user-preference-write"]
		.concat("distributed-notification-post", "authorization-right-obtain", "system-kext-load")
		.map((operation) =>
			cannot(`no ${operation}`, operation, { name: "x" }, operation === "job-creation" ? "built-in: job-creation" : undefined),
		),
];

export const MOUNTS: readonly Check[] = [
	...["file-mount", "file-unmount", "file-mount-update", "file-chroot", "file-mknod", "file-revoke"].map((operation) =>
		cannot(`no ${operation} where it may write`, operation, directory(`${SCRATCH}/m`)),
	),
	...["fs-snapshot-create", "fs-snapshot-revert", "fs-rename", "system-nfssvc", "system-fsctl", "system-swap", "system-reboot"].map(
		(operation) => cannot(`no ${operation}`, operation),
	),
];

export const SETUID: readonly Check[] = [`${SCRATCH}/x`, "/bin/bash", HOME].map((path) =>
	cannot(`${path} gets no setuid bit`, "file-write-setugid", file(path), "built-in: file-write-setugid is denied"),
);

export const TERMINALS: readonly Check[] = [
	...["/dev/tty", "/dev/ttys001", "/dev/ptmx", "/dev/console"].flatMap((path) =>
		["file-ioctl", "file-read-data", "file-write-data"].map((operation) => cannot(`no ${operation} of ${path}`, operation, terminal(path))),
	),
	cannot("no terminal of its own", "pseudo-tty"),
];

/** The user's disk by its other name. */
export const DATA_VOLUME: readonly Check[] = [
	...[HOME, `${HOME}/.ssh/id_ed25519`, "/private/etc/master.passwd", "/Library/Keychains/x"].map((path) =>
		cannotRead(`/System/Volumes/Data${path}`, DATA),
	),
	cannot("its size and time cannot be seen", "file-read-metadata", file(`/System/Volumes/Data${HOME}/.ssh/id_ed25519`), DATA),
	...["file-write-data", "file-write-create"].map((operation) =>
		cannot(`no ${operation} by that name`, operation, file(`/System/Volumes/Data${HOME}/x`)),
	),
];

/** The profile of this run and of others. */
export const PROFILES: readonly Check[] = [
	cannotRead(`${TMP}/robot-lab-seatbelt-x1/profile.sb`, HIDDEN),
	cannotRead(`${TMP}/robot-lab-seatbelt-x1`, HIDDEN),
	...["file-write-data", "file-write-create", "file-write-unlink", "file-link", "file-clone"].map((operation) =>
		cannot(`no ${operation} of a profile`, operation, file(`${TMP}/robot-lab-seatbelt-x1/profile.sb`), HIDDEN),
	),
	cannot("the directory of a profile cannot be moved", "file-write-unlink", directory(`${TMP}/robot-lab-seatbelt-x1`), HIDDEN),
];

/** Somebody else's sockets, and sockets of a script's own that others could find. With the network granted or not. */
export const UNIX_SOCKETS: readonly Check[] = [
	...["/private/var/run/docker.sock", "/private/tmp/com.apple.launchd.x/Listeners", `${HOME}/.docker/run/docker.sock`]
		.concat(`${HOME}/.gnupg/S.gpg-agent`, `${SCRATCH}/s`)
		.map((path) => cannot(`${path} cannot be reached`, "network-outbound", { path })),
	cannot("a unix socket cannot be listened on", "network-inbound", { path: `${SCRATCH}/s` }),
	cannot("a unix socket cannot be bound", "network-bind", { path: `${SCRATCH}/s` }),
	cannot("no raw control socket", "system-socket", { socketDomain: "AF_SYSTEM", socketProtocol: 1 }),
	cannot("no routing socket", "system-socket", { socketDomain: "AF_ROUTE", socketProtocol: 2 }),
];

import { evaluateProfile, ProfileError, type ProfileEvaluator, type ProfileQuery } from "../../src/sbpl/index.js";
import { HOME, PROJECT, profileOf, SCRATCH, SKILL, TMP } from "./pretend-mac.js";

/** One thing that has to hold of a profile. */
export interface Check {
	readonly what: string;
	readonly operation: string;
	readonly query: ProfileQuery;
	readonly allowed: boolean;
	/** The start of the rule that has to decide, where the answer alone would not tell. */
	readonly by?: string;
}

/** The first check that does not hold of the profile. A profile that does not compile holds nothing. */
export function firstFailure(profile: string, checks: readonly Check[]): string | undefined {
	try {
		const decide = evaluateProfile(profile);
		return checks.find((check) => !holds(decide, check))?.what;
	} catch (error) {
		if (ProfileError.isInstance(error)) return `it compiles: ${error.message}`;
		throw error;
	}
}

export const holds = (decide: ProfileEvaluator, check: Check): boolean => {
	const { allowed, rule } = decide(check.operation, check.query);
	return allowed === check.allowed && (check.by === undefined || rule.startsWith(check.by));
};

const check = (allowed: boolean, what: string, operation: string, query: ProfileQuery = {}): Check => ({ what, operation, query, allowed });
const can = (what: string, operation: string, query?: ProfileQuery): Check => check(true, what, operation, query);
const cannot = (what: string, operation: string, query?: ProfileQuery): Check => check(false, what, operation, query);
const file = (path: string): ProfileQuery => ({ path, vnodeType: "REGULAR-FILE" });
const device = (path: string): ProfileQuery => ({ path, vnodeType: "CHARACTER-DEVICE" });
const canRead = (path: string): Check => can(`${path} can be read`, "file-read-data", file(path));
const cannotRead = (path: string): Check => cannot(`${path} cannot be read`, "file-read-data", file(path));

const writable = (path: string): readonly Check[] => [
	...["file-write-create", "file-write-data", "file-write-unlink", "file-write-mode", "file-write-xattr", "file-link", "file-clone"].map(
		(operation) => can(`${operation} of ${path}`, operation, file(path)),
	),
	canRead(path),
];
const readOnly = (path: string): readonly Check[] => [
	canRead(path),
	...["file-write-create", "file-write-data", "file-write-unlink", "file-write-flags", "file-link", "file-clone"].map((operation) =>
		cannot(`no ${operation} of ${path}`, operation, file(path)),
	),
];

/** What programs of the system need to start and work. */
const NEEDED: readonly Check[] = [
	canRead("/"),
	...["/usr/lib/dyld", "/System/Library/Frameworks/Foundation.framework/Foundation", "/System/Cryptexes/OS/System/Library/dyld/x"].map(
		canRead,
	),
	...["/System/Volumes/Preboot/Cryptexes/OS/x", "/private/var/db/dyld/shared_cache", "/bin/bash", "/sbin/md5", "/usr/bin/env"].map(canRead),
	...["/usr/sbin/sysctl", "/usr/libexec/path_helper", "/usr/share/zoneinfo", "/Library/Apple/usr/libexec/oah/libRosettaRuntime"].map(
		canRead,
	),
	...["/private/var/select/sh", "/private/var/select/developer_dir", "/private/var/db/xcode_select_link"].map(canRead),
	...["/Library/Developer/CommandLineTools/usr/bin/git", "/private/etc/ssl/cert.pem", "/private/var/db/timezone/zoneinfo/UTC"].map(canRead),
	...["passwd", "group", "hosts", "services", "protocols", "shells", "localtime"].map((name) => canRead(`/private/etc/${name}`)),
	...["/Library", "/Library/Apple", "/Library/Apple/usr", "/Library/Apple/usr/libexec", "/Library/Developer", "/System", "/System/Volumes"]
		.concat("/Users", "/dev", "/etc", "/private", "/private/etc", "/private/tmp", "/private/var", "/private/var/db", "/private/var/run")
		.concat("/private/var/select", "/tmp", "/usr", "/var")
		.map((path) => can(`${path} can be looked at on the way`, "file-read-metadata", { path, vnodeType: "DIRECTORY" })),
	can("programs can be run", "process-exec*", { path: "/bin/bash" }),
	can("the interpreter of a script can be run", "process-exec-interpreter", { path: "/bin/bash" }),
	can("programs can be started", "process-fork"),
	can("one's own process can be signalled", "signal", { target: "self" }),
	can("one's own children can be signalled", "signal", { target: "same-sandbox" }),
	can("one's own process can be asked about", "process-info-pidinfo", { target: "self" }),
	can("one's own children can be asked about", "process-info-pidinfo", { target: "same-sandbox" }),
	...["hw.model", "kern.osproductversion", "hw.optional.arm.FEAT_SHA3", "kern.sysv.semmni", "kern.hostname"].map((name) =>
		can(`sysctl ${name} can be read`, "sysctl-read", { name }),
	),
	...["system.opendirectoryd.libinfo", "system.opendirectoryd.membership", "system.DirectoryService.libinfo_v1", "system.logger", "logd"]
		.concat("system.notification_center", "bsd.dirhelper", "cfprefsd.daemon", "cfprefsd.agent")
		.map((name) => can(`com.apple.${name} can be looked up`, "mach-lookup", { name: `com.apple.${name}` })),
	can("the table of notifications can be read", "ipc-posix-shm-read-data", { name: "apple.shm.notification_center" }),
	can("semaphores can be made", "ipc-posix-sem-create", { name: "/mp-x" }),
	...["/dev/null", "/dev/zero", "/dev/dtracehelper"].flatMap((path) => [
		can(`${path} can be read`, "file-read-data", device(path)),
		can(`${path} can be written`, "file-write-data", device(path)),
		can(`${path} can be controlled`, "file-ioctl", device(path)),
	]),
	...["/dev/random", "/dev/urandom", "/dev/autofs_nowait"].map((path) => can(`${path} can be read`, "file-read-data", device(path))),
	...["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/63"].flatMap((path) => [
		can(`${path} can be read`, "file-read-data", device(path)),
		can(`${path} can be written`, "file-write-data", device(path)),
	]),
	can("libraries can be mapped", "file-map-executable", { path: "/usr/lib/libz.dylib" }),
];

/** What no script gets without being granted it. */
const SECRETS: readonly Check[] = [
	...[
		".ssh/id_ed25519",
		".aws/credentials",
		"Library/Keychains/login.keychain-db",
		".zsh_history",
		".bash_history",
		".netrc",
		".gitconfig",
	].map((name) => cannotRead(`${HOME}/${name}`)),
	cannotRead(HOME),
	cannot("the home directory cannot be listed", "file-read-data", { path: HOME, vnodeType: "DIRECTORY" }),
	cannot("a secret's size and time cannot be seen", "file-read-metadata", file(`${HOME}/.ssh/id_ed25519`)),
	cannotRead(`${HOME}/.prompts/skills/other/SKILL.md`),
	cannotRead(`${SKILL}-other/SKILL.md`),
	cannotRead(`${HOME}/.prompts/skills`),
	cannotRead("/Users/other/x"),
	...[
		"/private/etc/master.passwd",
		"/private/etc/sudoers",
		"/private/var/db/dslocal/nodes/Default/users/u.plist",
		"/private/var/root/x",
	].map(cannotRead),
	...["/usr/local/etc/my.cnf", "/opt/homebrew/etc/my.cnf", "/Library/Preferences/SystemConfiguration/preferences.plist"].map(cannotRead),
	...["/Library/Developer/CoreSimulator/x", "/Library/Apple/usr/libexec/other", "/System/Volumes/VM/swapfile0", "/Volumes/Backup/x"].map(
		cannotRead,
	),
	...["/private/var/select/other", "/private/var/db/other", "/private/etc/ssl2", "/private/tmp/other", `${TMP}/other`].map(cannotRead),
	...[
		"/usr/lib",
		"/System/Library",
		"/System/Cryptexes",
		"/System/Volumes/Preboot",
		"/private/var/db/dyld",
		"/bin",
		"/sbin",
		"/usr/bin",
		"/usr/sbin",
	]
		.concat(
			"/usr/libexec",
			"/usr/share",
			"/Library/Apple/usr/libexec/oah",
			"/Library/Developer/CommandLineTools",
			"/private/var/db/timezone",
		)
		.concat("/Library/Keychains", "/private/var/db/mds", "/dev/fd", SKILL, SCRATCH)
		.map((root) => cannotRead(`${root}-alike/x`)),
	{ ...cannotRead(`/System/Volumes/Data${HOME}/.ssh/id_ed25519`), by: "(deny file-read* (subpath" },
	{ ...cannotRead("/Users/u/.docker/config.json"), by: "(deny default)" },
	...["/dev/disk0", "/dev/tty", "/dev/ttys001", "/dev/bpf0"].flatMap((path) => [
		cannot(`${path} cannot be read`, "file-read-data", { path, vnodeType: path === "/dev/disk0" ? "BLOCK-DEVICE" : "TTY" }),
		cannot(`${path} cannot be written`, "file-write-data", { path, vnodeType: path === "/dev/disk0" ? "BLOCK-DEVICE" : "TTY" }),
	]),
	...["/dev/null", "/dev/random"].flatMap((path) => [
		cannot(`a file put in the place of ${path} cannot be read`, "file-read-data", file(path)),
		cannot(`a file put in the place of ${path} cannot be written`, "file-write-data", file(path)),
	]),
	cannot("/dev/random cannot be written", "file-write-data", device("/dev/random")),
	...[
		HOME,
		`${HOME}/.zshrc`,
		`${HOME}/Library/LaunchAgents/x.plist`,
		`${SKILL}/scripts/run.sh`,
		"/usr/local/bin/x",
		"/private/tmp/x",
		"/",
		"/bin/bash",
	].flatMap((path) =>
		["file-write-create", "file-write-data", "file-write-unlink", "file-write-mode", "file-write-setugid"].map((operation) =>
			cannot(`${operation} of ${path} is denied`, operation, file(path)),
		),
	),
	...[`${HOME}/.ssh/id_ed25519`, "/private/etc/passwd", `${SKILL}/SKILL.md`, "/bin/bash"].flatMap((path) => [
		cannot(`${path} cannot be given a second name`, "file-link", file(path)),
		cannot(`${path} cannot be cloned`, "file-clone", file(path)),
	]),
	...(["others", "pgrp", "children", "initproc"] as const).map((target) =>
		cannot(`processes that are ${target} cannot be signalled`, "signal", { target }),
	),
	...["pidinfo", "pidfdinfo", "rusage", "setcontrol", "listpids"].map((name) =>
		cannot(`others cannot be asked for ${name}`, `process-info-${name}`, { target: "others" }),
	),
	...["kern.proc", "kern.proc.all", "kern.proc.pid", "kern.procargs", "kern.procargs2"].map((name) =>
		cannot(`sysctl ${name} cannot be read`, "sysctl-read", { name }),
	),
	cannot("no sysctl can be written", "sysctl-write", { name: "kern.hostname" }),
	...["get", "set", "delete"].map((name) => cannot(`firmware variables: no ${name}`, `nvram-${name}`, { name: "boot-args" })),
	...["SecurityServer", "securityd.xpc", "coreservices.launchservicesd", "pasteboard.1", "tccd", "windowserver.active", "diagnosticd"].map(
		(name) => cannot(`com.apple.${name} cannot be looked up`, "mach-lookup", { name: `com.apple.${name}` }),
	),
	cannot("no service of the session can be looked up", "mach-lookup", { localName: "com.apple.x" }),
	cannot("no service can be registered", "mach-register", { name: "x" }),
	cannot("no task port of another process", "mach-priv-task-port", { target: "others" }),
	cannot("other shared memory cannot be read", "ipc-posix-shm-read-data", { name: "other" }),
	cannot("shared memory cannot be written", "ipc-posix-shm-write-data", { name: "apple.shm.notification_center" }),
	...["lsopen", "job-creation", "pseudo-tty", "appleevent-send", "iokit-open", "user-preference-read", "distributed-notification-post"].map(
		(operation) => cannot(`no ${operation}`, operation, { name: "x" }),
	),
	...["docker.sock", "ssh-agent.sock"].map((name) =>
		cannot(`${name} cannot be reached`, "network-outbound", { path: `/private/var/run/${name}` }),
	),
	cannot("a unix socket cannot be listened on", "network-inbound", { path: `${SCRATCH}/s` }),
	cannot("no raw control socket", "system-socket", { socketDomain: "AF_SYSTEM", socketProtocol: 1 }),
	cannot("no routing socket", "system-socket", { socketDomain: "AF_ROUTE", socketProtocol: 2 }),
];

const SCRATCHES: readonly Check[] = [
	...writable(`${SCRATCH}/x`),
	can("the way to temporary files can be looked at", "file-read-metadata", { path: TMP, vnodeType: "DIRECTORY" }),
	canRead(`${SKILL}/scripts/run.sh`),
	can("the way to the skill can be looked at", "file-read-metadata", { path: `${HOME}/.prompts/skills`, vnodeType: "DIRECTORY" }),
	can("the way to the working directory can be looked at", "file-read-metadata", { path: PROJECT, vnodeType: "DIRECTORY" }),
	can("the home directory can be looked at on the way", "file-read-metadata", { path: HOME, vnodeType: "DIRECTORY" }),
	...["/private/var/folders", "/private/var/folders/ab", "/private/var/folders/ab/cd", `${HOME}/.prompts`].map((path) =>
		can(`${path} can be looked at on the way`, "file-read-metadata", { path, vnodeType: "DIRECTORY" }),
	),
	{ ...cannotRead(`${TMP}/robot-lab-seatbelt-x1/profile.sb`), by: "(deny file-read*" },
	{
		...cannot("another run's profile cannot be written", "file-write-data", file(`${TMP}/robot-lab-seatbelt-x1/profile.sb`)),
		by: "(deny file-read*",
	},
	...["file-link", "file-clone"].map((operation) => ({
		...cannot(`no ${operation} of another run's profile`, operation, file(`${TMP}/robot-lab-seatbelt-x1/profile.sb`)),
		by: "(deny file-read*",
	})),
];

const ONLINE: readonly Check[] = [
	can("addresses can be reached", "network-outbound", { remote: "93.184.216.34:443" }),
	can("addresses can be reached by UDP", "network-outbound", { remote: "udp://[2001:db8::1]:53" }),
	can("a port can be bound", "network-bind", { local: "127.0.0.1:8080" }),
	can("a port can be listened on", "network-inbound", { local: "0.0.0.0:8080" }),
	can("names can be asked for", "network-outbound", { path: "/private/var/run/mDNSResponder" }),
	can("the network stack can be asked", "system-socket", { socketDomain: "AF_SYSTEM", socketProtocol: 2 }),
	...["SystemConfiguration.DNSConfiguration", "SystemConfiguration.configd", "dnssd.service", "trustd", "trustd.agent", "networkd"].map(
		(name) => can(`com.apple.${name} can be looked up`, "mach-lookup", { name: `com.apple.${name}` }),
	),
	...["/private/etc/resolv.conf", "/private/var/run/resolv.conf", "/Library/Keychains/System.keychain", "/private/var/db/mds/system/x"].map(
		canRead,
	),
	canRead("/Library/Preferences/com.apple.networkd.plist"),
];

const OFFLINE: readonly Check[] = ONLINE.map((online) => ({ ...online, what: `not: ${online.what}`, allowed: false }));

/** A grant, its profile, and all that has to hold of it. */
export interface Scenario {
	readonly name: string;
	readonly profile: string;
	readonly checks: readonly Check[];
}

const GRANTED: readonly Check[] = [
	...readOnly(`${PROJECT}/data/in.csv`),
	cannotRead(`${PROJECT}/.env`),
	cannotRead(`${PROJECT}/data2/x`),
	...writable(`${PROJECT}/out/a`),
	cannot("a setuid file cannot be made", "file-write-setugid", file(`${PROJECT}/out/a`)),
	cannot("beside what may be written", "file-write-create", file(`${PROJECT}/out2`)),
	...readOnly(`${PROJECT}/out/keep/me/x`),
	...["out", "out/keep"].map((name) =>
		cannot(`${name} cannot be moved away with what is read-only in it`, "file-write-unlink", {
			path: `${PROJECT}/${name}`,
			vnodeType: "DIRECTORY",
		}),
	),
	...writable(`${PROJECT}/out/keep/other`),
	...writable(`${PROJECT}/out/keep/me-too`),
	...readOnly(`${PROJECT}/out/keep/me/logs-alike`),
	...writable(`${PROJECT}/out/keep/me/logs/x`),
	...["file-write-create", "file-write-data"].map((operation) => cannot(`${operation} above the island`, operation, file(PROJECT))),
];

const scenarioGrant = {
	read: [`${PROJECT}/data`, `${PROJECT}/out/keep/me`],
	write: [`${PROJECT}/out`, `${PROJECT}/out/keep/me/logs`],
};

export const SCENARIOS: readonly Scenario[] = [
	{ name: "offline", profile: profileOf(scenarioGrant), checks: [...NEEDED, ...SECRETS, ...SCRATCHES, ...OFFLINE, ...GRANTED] },
	{
		name: "online",
		profile: profileOf({ ...scenarioGrant, network: true }),
		checks: [...NEEDED, ...SECRETS, ...SCRATCHES, ...ONLINE, ...GRANTED],
	},
];

/** The skill and the temporary directory lie inside what may be written. */
export const SURROUNDED: Scenario = {
	name: "surrounded",
	profile: profileOf({ write: [PROJECT, TMP], skillDir: `${PROJECT}/skills/report` }),
	checks: [
		...readOnly(`${PROJECT}/skills/report/scripts/run.sh`),
		...writable(`${PROJECT}/skills/x`),
		...writable(`${TMP}/x`),
		...["", "/skills"].map((name) =>
			cannot(`${PROJECT}${name} cannot be moved away with the skill in it`, "file-write-unlink", {
				path: `${PROJECT}${name}`,
				vnodeType: "DIRECTORY",
			}),
		),
		cannotRead(`${TMP}/robot-lab-seatbelt-x1/profile.sb`),
		cannot("the profile cannot be moved away", "file-write-unlink", file(`${TMP}/robot-lab-seatbelt-x1`)),
		cannot("the profile cannot be written", "file-write-data", file(`${TMP}/robot-lab-seatbelt-x1/profile.sb`)),
	],
};

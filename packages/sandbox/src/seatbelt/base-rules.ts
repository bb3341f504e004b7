import { literal, rule, subpath } from "./rule-text.js";

/** One rule that every profile has. */
export interface BaseRule {
	readonly rule: string;
	/** Who needs it, or what it closes. */
	readonly why: string;
	/** The first macOS it is known to matter on; `any` where nobody says that it began to. */
	readonly since: string;
	/** Only where the grant has the network. */
	readonly network?: true;
}

/** Directories above what is readable below, and the links among them: a look-up crosses each, realpath asks about each. */
const CROSSED = [
	"/Library",
	"/Library/Apple",
	"/Library/Apple/usr",
	"/Library/Apple/usr/libexec",
	"/Library/Developer",
	"/System",
	"/System/Volumes",
	"/Users",
	"/dev",
	"/etc",
	"/private",
	"/private/etc",
	"/private/tmp",
	"/private/var",
	"/private/var/db",
	"/private/var/run",
	"/private/var/select",
	"/tmp",
	"/usr",
	"/var",
];

const readable = (path: string, why: string, since = "any"): BaseRule => ({
	rule: rule("allow", "file-read*", [subpath(path)]),
	why,
	since,
});
const readableFile = (path: string, why: string, since = "any"): BaseRule => ({
	rule: rule("allow", "file-read*", [literal(path)]),
	why,
	since,
});
const service = (name: string, why: string): BaseRule => ({ rule: `(allow mach-lookup (global-name "${name}"))`, why, since: "any" });
const online = (row: BaseRule): BaseRule => ({ ...row, network: true });

/**
 * What every profile says before it says anything about a grant, in order. Later rules win over earlier ones of the same
 * operation; a rule of one operation wins over every rule of the wildcard it belongs to.
 *
 * Not here because nothing that was looked at needs it: iokit, pseudo-terminals and /dev/tty, preferences, Launch Services,
 * SecurityServer, the whole of /Library/Preferences or /private/var/db. Not needed: file-map-executable, which no default denies.
 */
export const BASE_RULES: readonly BaseRule[] = [
	{ rule: "(version 1)", why: "the language of everything below", since: "any" },
	{ rule: "(deny default)", why: "what is not allowed is denied", since: "any" },
	{
		rule: "(deny process-info* nvram* file-link file-clone)",
		why: "(deny default) does not reach these: others' environments, firmware variables, a second name for a file out of reach",
		since: "10.13",
	},
	{
		rule: "(allow process-info* (target self) (target same-sandbox))",
		why: "libdispatch, the git shim and job control ask about themselves",
		since: "any",
	},
	{ rule: "(allow process-exec*)", why: "running programs; what they may touch is what is below", since: "any" },
	{ rule: "(allow process-fork)", why: "running programs", since: "any" },
	{ rule: "(allow signal (target self) (target same-sandbox))", why: "traps, job control, ending one's own children", since: "any" },
	{ rule: "(allow sysctl-read)", why: "CPU features and counts, page size, host name, semaphore limits", since: "any" },
	{
		rule: '(deny sysctl-read\n  (sysctl-name "kern.proc")\n  (sysctl-name-prefix "kern.proc.")\n  (sysctl-name-prefix "kern.procargs"))',
		why: "the list of processes, their arguments and environments",
		since: "any",
	},
	service("com.apple.system.opendirectoryd.libinfo", "getpwuid: ~, expanduser, git's identity"),
	service("com.apple.system.opendirectoryd.membership", "the groups of a user"),
	service("com.apple.system.DirectoryService.libinfo_v1", "getpwuid by its older name"),
	service("com.apple.system.logger", "syslog"),
	service("com.apple.logd", "os_log"),
	service("com.apple.system.notification_center", "notify: libc waits for changes of time zone and users"),
	service("com.apple.bsd.dirhelper", "confstr: the user's temporary directory"),
	service("com.apple.cfprefsd.daemon", "CoreFoundation starts with it; preferences themselves stay denied"),
	service("com.apple.cfprefsd.agent", "the same for the user"),
	{
		rule: '(allow ipc-posix-shm-read-data (ipc-posix-name "apple.shm.notification_center"))',
		why: "notify reads its table",
		since: "any",
	},
	{ rule: "(allow ipc-posix-sem*)", why: "python's multiprocessing", since: "any" },
	{
		rule: `(allow file-read* file-write-data file-ioctl (require-all (vnode-type CHARACTER-DEVICE) (require-any ${literal("/dev/null")} ${literal("/dev/zero")} ${literal("/dev/dtracehelper")})))`,
		why: "output that is thrown away, zeroes; dyld announces itself to dtrace",
		since: "any",
	},
	{
		rule: `(allow file-read* (require-all (vnode-type CHARACTER-DEVICE) (require-any ${literal("/dev/random")} ${literal("/dev/urandom")} ${literal("/dev/autofs_nowait")})))`,
		why: "random numbers; look-ups that must not mount",
		since: "any",
	},
	{
		rule: rule("allow", "file-read* file-write-data", [
			literal("/dev/stdin"),
			literal("/dev/stdout"),
			literal("/dev/stderr"),
			subpath("/dev/fd"),
		]),
		why: "what the process has open already: > /dev/stderr, <(process substitution)",
		since: "any",
	},
	readableFile("/", "dyld opens the root; without it every process dies before main", "14"),
	{ rule: rule("allow", "file-read-metadata", CROSSED.map(literal)), why: "realpath, getcwd and every look-up cross these", since: "any" },
	readable("/usr/lib", "dyld and the system's libraries"),
	readable("/System/Library", "frameworks; not /System, under which the whole disk lies once more"),
	readable("/System/Cryptexes", "where the shared cache of dyld is", "13"),
	readable("/System/Volumes/Preboot", "what /System/Cryptexes leads to", "13"),
	readable("/private/var/db/dyld", "the shared cache of dyld on older systems"),
	readable("/bin", "programs"),
	readable("/sbin", "programs"),
	readable("/usr/bin", "programs"),
	readable("/usr/sbin", "programs"),
	readable("/usr/libexec", "what programs start"),
	readable("/usr/share", "time zones, terminals, locales"),
	readable("/Library/Apple/usr/libexec/oah", "Rosetta: Intel programs on Apple silicon", "11"),
	readableFile("/private/var/select/sh", "/bin/sh asks which shell it is", "10.15"),
	readableFile("/private/var/select/developer_dir", "git, python3, make: shims that look for the developer tools"),
	readableFile("/private/var/db/xcode_select_link", "the same"),
	readable("/Library/Developer/CommandLineTools", "git, python3, make themselves"),
	...["passwd", "group", "hosts", "services", "protocols", "shells", "localtime"].map((name) =>
		readableFile(`/private/etc/${name}`, "libc's look-ups"),
	),
	readable("/private/etc/ssl", "OpenSSL's configuration and certificates"),
	readable("/private/var/db/timezone", "what /usr/share/zoneinfo leads to"),
	{
		rule: rule("deny", "file-read*", [subpath("/System/Volumes/Data")]),
		why: "the user's disk by its other name, should anything above come to cover it",
		since: "10.15",
	},
	online({
		rule: "(allow network-outbound (remote ip))",
		why: "connections by address; without the filter it would open unix sockets too: docker's, ssh-agent's",
		since: "any",
	}),
	online({ rule: "(allow network-inbound (local ip))", why: "bind and listen; network-bind alone lets listen fail", since: "any" }),
	online({
		rule: rule("allow", "network-outbound", [literal("/private/var/run/mDNSResponder")]),
		why: "names: getaddrinfo speaks to it",
		since: "any",
	}),
	online({
		rule: "(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))",
		why: "the network stack's own control socket",
		since: "any",
	}),
	online(service("com.apple.SystemConfiguration.DNSConfiguration", "which name servers")),
	online(service("com.apple.SystemConfiguration.configd", "which proxies and interfaces")),
	online(service("com.apple.dnssd.service", "names")),
	online(service("com.apple.trustd", "TLS: which certificates are trusted")),
	online(service("com.apple.trustd.agent", "the same for the user")),
	online(service("com.apple.networkd", "connections by the higher interfaces")),
	online(readableFile("/private/etc/resolv.conf", "resolvers that read the file")),
	online(readableFile("/private/var/run/resolv.conf", "what it leads to")),
	online(readable("/Library/Keychains", "the certificates the administrator trusts; not the user's keychains")),
	online(readable("/private/var/db/mds", "the index of the same")),
	online(readableFile("/Library/Preferences/com.apple.networkd.plist", "settings of networkd")),
];

/** What {@link BASE_RULES} lets every script see the metadata of, or read. */
export const BASE_CROSSED: ReadonlySet<string> = new Set(["/", ...CROSSED]);

import { HOME, PROJECT, SCRATCH, SKILL, TMP } from "../pretend-mac.js";
import { type Check, can, canChange, canLookAt, canRead, device } from "./check.js";

/** What programs of the system need to start and work. */
export const NEEDED: readonly Check[] = [
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
		.map(canLookAt),
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
	...canChange(`${SCRATCH}/x`),
	canRead(`${SCRATCH}/x`),
	canRead(`${SKILL}/scripts/run.sh`),
	...[TMP, `${HOME}/.prompts/skills`, PROJECT, HOME, "/private/var/folders", "/private/var/folders/ab"]
		.concat("/private/var/folders/ab/cd", `${HOME}/.prompts`)
		.map(canLookAt),
];

/** What programs need to use the network. */
export const ONLINE: readonly Check[] = [
	can("addresses can be reached", "network-outbound", { remote: "93.184.216.34:443" }),
	can("addresses can be reached by UDP", "network-outbound", { remote: "udp://[2001:db8::1]:53" }),
	can("the host's loopback can be reached", "network-outbound", { remote: "127.0.0.1:5432" }),
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

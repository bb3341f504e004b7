import { callNumber } from "../../bubblewrap/seccomp/call-numbers.js";
import { type Check, EPERM, EROFS } from "../check.js";
import { byName } from "../programs.js";

const numberOf = (call: string): number => callNumber(call, process.arch === "arm64" ? "arm64" : "x64") ?? -1;

const USER_AND_MOUNT_NAMESPACE = 0x1002_0000;
const USER_NAMESPACE = 0x1000_0000;
const BIND = 4096;
const REMOUNT = 32;
const ATTACH = 16;
const TIOCSTI = 0x5412;

/**
 * Without confinement it mounts in a namespace of its own, which nobody else sees. Where it gets none, nothing is mounted in its place and
 * the kernel finds nothing to remount.
 */
const MOUNT = `my $in = "$ENV{IN}\\0"; my $none = "none\\0";
if (syscall(${numberOf("unshare")}, ${USER_AND_MOUNT_NAMESPACE}) == 0) { syscall(${numberOf("mount")}, $in, $in, $none, ${BIND}, 0) }
if (syscall(${numberOf("mount")}, $none, $in, $none, ${REMOUNT | BIND}, 0) == -1) { print "mount: $!\\n"; exit 1 }
open(my $f, ">", "$ENV{IN}/new") ? print "THROUGH\\n" : print "write: $!\\n";`;
const UNSHARE = `syscall(${numberOf("unshare")}, ${USER_NAMESPACE}) == 0 ? print "THROUGH\\n" : print "unshare: $!\\n";`;
/** Into a child of its own. */
const TRACE = `my $child = fork; if (!$child) { sleep 10; exit }
syscall(${numberOf("ptrace")}, ${ATTACH}, $child, 0, 0) == 0 ? print "THROUGH\\n" : print "ptrace: $!\\n";
kill "KILL", $child; waitpid $child, 0;`;
/** Into a terminal that it makes itself. */
const TYPE = `use POSIX; $SIG{HUP} = "IGNORE"; POSIX::setsid(); open(my $m, "+<", "/dev/ptmx") or die "ptmx: $!";
my $unlock = pack("i", 0); ioctl($m, 0x40045431, $unlock); my $n = pack("i", 0); ioctl($m, 0x80045430, $n);
open(my $t, "+<", "/dev/pts/" . unpack("i", $n)) or die "pts: $!"; my $c = "x";
ioctl($t, ${TIOCSTI}, $c) ? print "THROUGH\\n" : print "ioctl: $!\\n";`;

const attack = (check: Pick<Check, "name" | "why" | "script"> & Partial<Check>): Check => ({
	platforms: ["linux"],
	expect: "refused",
	run: byName("perl"),
	says: { linux: EPERM },
	...check,
});

/** What of the kernel of Linux no script has a use for. */
export const KERNEL: readonly Check[] = [
	attack({ name: "a user namespace", why: "In one of its own a script is root, which most flaws of the kernel need.", script: UNSHARE }),
	attack({ name: "mounting anew what may only be read", why: "It would be writable.", script: MOUNT }),
	attack({
		name: "settings of the kernel",
		why: "They count for the whole computer, and some run programs.",
		run: byName("bash"),
		script: "value=$(cat /proc/sys/vm/swappiness) && echo $value > /proc/sys/vm/swappiness && echo THROUGH",
		says: { linux: EROFS },
	}),
	attack({ name: "tracing a process", why: "It would do what the script wants.", script: TRACE }),
	attack({ name: "typing into a terminal (TIOCSTI)", why: "The user's shell would run what was typed.", script: TYPE }),
];

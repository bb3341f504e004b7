import { callNumber } from "../../bubblewrap/seccomp/call-numbers.js";
import { type Check, EPERM, EROFS } from "../check.js";
import { NAMESPACES } from "../namespaces.js";
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

const SHARED = `for name in ${NAMESPACES.join(" ")}; do own=$(readlink /proc/self/ns/$name) || exit 1
case " $NAMESPACES " in *" $own "*) echo THROUGH; echo "$own is the host's"; esac; done; echo "looked at $own"`;
/** The sixth field, counted from behind the name, which may have spaces in it: 0 where the session is of no process in this namespace. */
const SESSION = `line=$(< /proc/$$/stat); read -r state parent group session rest <<< "\${line##*) }"
[ "$session" = 0 ] && echo THROUGH; [ -n "$session" ] && echo "looked at $session"`;
const RIGHTS = `while read -r name value; do case $name in Cap*) rights=$rights$value; esac; done < /proc/self/status
case $rights in "") exit 1;; *[1-9a-f]*) echo THROUGH; esac; echo "looked at $rights"`;
/** What a fresh /dev has in it. */
const HARMLESS = "console|core|fd|full|null|ptmx|pts|random|shm|stderr|stdin|stdout|tty|urandom|zero";
const DEVICES = `for path in /dev/*; do case \${path#/dev/} in ${HARMLESS}) ;; *) echo THROUGH; esac; done
for path in /dev/shm/* /dev/shm/.[!.]*; do [ -e "$path" ] && echo THROUGH; done; [ -c /dev/null ] && echo "looked at /dev"`;
/** Every Linux has most of them, and tells everybody that they are there. */
const ELSEWHERE = "/boot /etc/fstab /etc/group- /etc/hostname /etc/machine-id /etc/shadow /sys/kernel /var/lib /var/log";
const SYSTEM = `for path in ${ELSEWHERE}; do [ -e $path ] && echo THROUGH; done; [ -d /usr/bin ] && echo "looked"`;
/** Gone at once, should it be made. */
const BESIDE = '(: > "/.robot-lab-doctor-$$") && rm "/.robot-lab-doctor-$$" && echo THROUGH';

const attack = (check: Pick<Check, "name" | "why" | "script"> & Partial<Check>): Check => ({
	platforms: ["linux"],
	expect: "refused",
	run: byName("perl"),
	says: { linux: EPERM },
	...check,
});

/** There is nothing to be refused in words: it looks, and finds or does not. */
const seen = (check: Pick<Check, "name" | "why" | "script"> & Partial<Check>): Check =>
	attack({ run: byName("bash"), says: { linux: ["looked"] }, refusedAs: "not there", ...check });

/** Rights and parts of Linux that no script has a use for. */
export const KERNEL: readonly Check[] = [
	attack({
		name: "a user namespace",
		why: "In one of its own a script is root, which most flaws of the kernel need.",
		script: UNSHARE,
		refusedAnyway: ["unshare: Operation not permitted", "unshare: No space left on device", "unshare: Invalid argument"],
	}),
	attack({
		name: "mounting anew what may only be read",
		why: "It would be writable.",
		script: MOUNT,
		refusedAnyway: ["mount: Operation not permitted", "mount: Permission denied"],
	}),
	attack({
		name: "settings of the kernel",
		why: "They count for the whole computer, and some run programs.",
		run: byName("bash"),
		script: "value=$(cat /proc/sys/vm/swappiness) && echo $value > /proc/sys/vm/swappiness && echo THROUGH",
		says: { linux: EROFS },
		refusedAnyway: ["Permission denied", ...EROFS],
	}),
	attack({
		name: "tracing a process",
		why: "It would do what the script wants.",
		script: TRACE,
		refusedAnyway: ["ptrace: Operation not permitted"],
	}),
	attack({
		name: "typing into a terminal (TIOCSTI)",
		why: "The user's shell would run what was typed.",
		script: TYPE,
		// Kernels since 6.2 may have it switched off for everybody.
		refusedAnyway: ["ioctl: Input/output error"],
	}),
	seen({ name: "namespaces of the host", why: "Its processes, memory and network are in them.", script: SHARED, refusedAs: "not there" }),
	seen({
		name: "the session of the host",
		why: "Its terminal would be the script's, too.",
		onlyInside: true,
		script: SESSION,
	}),
	seen({ name: "rights of root (capabilities)", why: "With them a script gets past permissions.", script: RIGHTS, refusedAs: "none" }),
	seen({ name: "devices of the computer", why: "Disks and memory that processes share are among them.", script: DEVICES, optional: true }),
	seen({ name: "the rest of the file system", why: "Settings and logs tell what else to attack.", script: SYSTEM }),
	attack({
		name: "writing beside what is granted",
		why: "It fills the computer's memory, or its disk.",
		run: byName("bash"),
		script: BESIDE,
		says: { linux: EROFS },
		refusedAnyway: ["Permission denied", ...EROFS],
	}),
];

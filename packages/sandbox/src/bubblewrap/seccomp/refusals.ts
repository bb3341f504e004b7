/** A comparison of an argument's low word. */
export interface Comparison {
	readonly argument: number;
	readonly test: "equals" | "anyBitOf";
	readonly value: number;
}

/** System calls that are refused: all of them, or those whose arguments match. */
export interface Refusal {
	/** Names as in the kernel's tables. */
	readonly calls: readonly string[];
	readonly why: string;
	/** `EPERM` says no; `ENOSYS` says that there is no such call, upon which programs use an older one. */
	readonly answer: "EPERM" | "ENOSYS";
	/** Refused only when all comparisons of one of these hold. Default: always. */
	readonly when?: readonly (readonly Comparison[])[];
	/** Not refused when all comparisons of one of these hold. Default: none. */
	readonly except?: readonly (readonly Comparison[])[];
}

const equals = (argument: number, value: number): Comparison => ({ argument, test: "equals", value });
const anyBitOf = (argument: number, value: number): Comparison => ({ argument, test: "anyBitOf", value });

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e02_0000;

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const TIOCCONS = 0x541d;
const TIOCSETD = 0x5423;

const SET_ID_BITS = 0o6000;
/** O_CREAT and the bit of O_TMPFILE that is its own: only with them does open look at a mode. */
const CREATING = 0o20000100;

const setIdMode = (argument: number): readonly (readonly Comparison[])[] => [[anyBitOf(argument, SET_ID_BITS)]];

/**
 * What a confined script may not ask of the kernel, whatever else holds it back.
 *
 * The file system and the processes are hidden by namespaces already. What is here either reaches around those, changes what the script
 * leaves behind on the host, or is a part of the kernel that no script needs and that has let programs out before.
 */
export const REFUSALS: readonly Refusal[] = [
	{
		calls: ["socket"],
		why: "Internet addresses, and the questions about interfaces that looking up a name asks; nothing else. A UNIX socket reaches services of the host (docker, ssh-agent, D-Bus, X11), by an abstract name even where no file is mounted; AF_VSOCK reaches the machine outside of a virtual one",
		answer: "EPERM",
		except: [[equals(0, AF_INET)], [equals(0, AF_INET6)], [equals(0, AF_NETLINK), equals(2, NETLINK_ROUTE)]],
	},
	{ calls: ["socketpair"], why: "a pair talks to itself, which only UNIX sockets need", answer: "EPERM", except: [[equals(0, AF_UNIX)]] },
	{
		calls: ["io_uring_setup", "io_uring_enter", "io_uring_register"],
		why: "its requests do not pass this filter",
		answer: "EPERM",
	},
	{
		calls: ["ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd"],
		why: "look into and change other processes",
		answer: "EPERM",
	},
	{ calls: ["keyctl", "add_key", "request_key"], why: "the kernel's keyrings belong to the user, not to a namespace", answer: "EPERM" },
	{
		calls: ["ioctl"],
		why: "types into the terminal that somebody else reads, takes its output, or loads a line discipline",
		answer: "EPERM",
		when: [[equals(1, TIOCSTI)], [equals(1, TIOCLINUX)], [equals(1, TIOCCONS)], [equals(1, TIOCSETD)]],
	},
	{
		calls: ["mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr", "move_mount", "fsopen", "fsconfig"],
		why: "undo what the mounts hide",
		answer: "EPERM",
	},
	{ calls: ["fsmount", "fspick", "mount_setattr", "open_by_handle_at"], why: "undo what the mounts hide", answer: "EPERM" },
	{ calls: ["unshare", "setns"], why: "a new user namespace has all capabilities in it", answer: "EPERM" },
	{ calls: ["clone"], why: "a new user namespace has all capabilities in it", answer: "EPERM", when: [[anyBitOf(0, NEW_NAMESPACES)]] },
	{ calls: ["clone3"], why: "its flags lie in memory, which a filter cannot read; C libraries go back to clone", answer: "ENOSYS" },
	{
		calls: ["chmod", "fchmod", "creat"],
		why: "a file with the owner's identity would be left on the host",
		answer: "EPERM",
		when: setIdMode(1),
	},
	{ calls: ["fchmodat", "fchmodat2"], why: "the same by a directory", answer: "EPERM", when: setIdMode(2) },
	{ calls: ["mkdir", "mknod"], why: "the same from the start", answer: "EPERM", when: setIdMode(1) },
	{ calls: ["mkdirat", "mknodat"], why: "the same by a directory", answer: "EPERM", when: setIdMode(2) },
	{
		calls: ["open"],
		why: "the same for a file that is made",
		answer: "EPERM",
		when: [[anyBitOf(1, CREATING), anyBitOf(2, SET_ID_BITS)]],
	},
	{ calls: ["openat"], why: "the same by a directory", answer: "EPERM", when: [[anyBitOf(2, CREATING), anyBitOf(3, SET_ID_BITS)]] },
	{ calls: ["openat2"], why: "its mode lies in memory; programs go back to openat", answer: "ENOSYS" },
	{ calls: ["bpf", "perf_event_open", "userfaultfd"], why: "have let programs into the kernel", answer: "EPERM" },
	{
		calls: ["init_module", "finit_module", "delete_module", "create_module", "get_kernel_syms", "query_module"],
		why: "change the kernel",
		answer: "EPERM",
	},
	{ calls: ["kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct"], why: "change the machine", answer: "EPERM" },
	{ calls: ["iopl", "ioperm", "vhangup", "nfsservctl", "uselib", "lookup_dcookie"], why: "change the machine", answer: "EPERM" },
	{ calls: ["settimeofday", "clock_settime", "quotactl", "quotactl_fd"], why: "change the machine", answer: "EPERM" },
	{ calls: ["syslog"], why: "the kernel's log tells about the host", answer: "EPERM" },
	{ calls: ["fanotify_init"], why: "watches whole file systems", answer: "EPERM" },
];

import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Check, ENOENT, EPERM, EVERYWHERE, type Trace } from "../check.js";
import { byName } from "../programs.js";

/** Longer than a beat and the grace that bubblewrap gives what is left. */
const WATCH_MS = 400;

/** In a session of its own and deaf to TERM, it beats for ten seconds, or until its directory is gone. */
const SURVIVE = `perl -e 'use POSIX (); POSIX::setsid(); exec @ARGV or die' bash -c 'trap "" TERM HUP
n=0; while [ $n -lt 200 ] && echo . >> "$1"; do n=$((n+1)); sleep 0.05; done' beat "$OUT/beat" </dev/null >/dev/null 2>&1 &
n=0; until [ -s "$OUT/beat" ] || [ $n -ge 100 ]; do sleep 0.05; n=$((n+1)); done
[ -s "$OUT/beat" ] && echo started`;

async function stillBeats({ scene }: Trace): Promise<boolean> {
	const beats = (): number => statSync(`${scene.out}/beat`, { throwIfNoEntry: false })?.size ?? 0;
	const before = beats();
	await delay(WATCH_MS);
	return beats() > before;
}

/** CTL_KERN, KERN_PROCARGS2: what `ps` shows with `eww`, without `ps`. */
const PROCARGS = `my $mib = pack("iii", 1, 49, $ENV{VICTIM}); my $size = pack("Q", 262144); my $bytes = "\\0" x 262144;
if (syscall(202, $mib, 3, $bytes, $size, 0, 0) == 0) { print "THROUGH\\n" if $bytes =~ /DOCTOR_SECRET=/ } else { print "sysctl: $!\\n" }`;

const survivor: Check = {
	name: "a process in a session of its own, after the script",
	why: "Something would go on working for the attacker.",
	platforms: EVERYWHERE,
	expect: "refused",
	run: (file) => (typeof byName("perl")(file) === "string" ? "perl is not on PATH" : ["bash", file]),
	script: SURVIVE,
	isThrough: stillBeats,
	says: { darwin: ["started"], linux: ["started"] },
	refusedAs: "gone",
};
const bash = { expect: "refused", run: byName("bash"), needs: "victim" } as const;

/** Other processes, the environment, terminals, and what outlives a script. */
export const PROCESSES: readonly Check[] = [
	{
		name: "the host's secrets in the environment",
		why: "Keys of the host process would be every script's.",
		platforms: EVERYWHERE,
		expect: "refused",
		run: byName("bash"),
		script: 'env | grep -qE "^DOCTOR_(API_KEY|VARIABLE)=" && echo THROUGH; echo "looked at $(env | grep -c =) variables"',
		says: { darwin: ["looked at"], linux: ["looked at"] },
		refusedAs: "not there",
	},
	{
		...bash,
		name: "another process's environment by /proc",
		why: "Keys of the host process would be every script's.",
		platforms: ["linux"],
		script: "tr '\\0' '\\n' < /proc/$VICTIM/environ | grep -q DOCTOR_SECRET= && echo THROUGH",
		says: { linux: ENOENT },
	},
	{
		...bash,
		name: "another process's environment by ps",
		why: "Keys of the host process would be every script's.",
		platforms: ["darwin"],
		script: "ps eww -p $VICTIM | grep -q DOCTOR_SECRET= && echo THROUGH",
		says: { darwin: EPERM },
	},
	{
		...bash,
		name: "another process's environment by sysctl",
		why: "KERN_PROCARGS2 tells it without ps, and (deny default) does not reach it.",
		platforms: ["darwin"],
		run: byName("perl"),
		script: PROCARGS,
		says: { darwin: EPERM },
	},
	{
		...bash,
		name: "ps",
		why: "It is refused in words a script's author understands.",
		platforms: ["darwin"],
		script: "ps -p $VICTIM && echo THROUGH",
		says: { darwin: EPERM },
	},
	{
		...bash,
		name: "signals to other processes",
		why: "A script could end what it likes.",
		platforms: EVERYWHERE,
		script: "kill -TERM $VICTIM && echo THROUGH",
		says: { darwin: EPERM, linux: ["No such process"] },
	},
	survivor,
	{ ...survivor, name: "a process in a session of its own, after the timeout", lingers: true, timeout: 3 },
	{
		name: "terminals of the user",
		optional: true,
		why: "What the user types could be read, and commands be typed.",
		platforms: EVERYWHERE,
		expect: "refused",
		run: byName("bash"),
		script: 'for t in /dev/tty /dev/ttys[0-9]* /dev/pts/[0-9]*; do case $t in *"*") continue; esac; (: < "$t") && echo THROUGH; done',
		says: { darwin: EPERM, linux: ["No such device or address", ...ENOENT] },
	},
	{
		name: "a terminal of its own",
		why: "Nothing needs one, and drivers of terminals have had flaws.",
		platforms: ["darwin"],
		expect: "refused",
		run: byName("perl"),
		script: 'open(my $m, "+<", "/dev/ptmx") ? print "THROUGH\\n" : print "ptmx: $!\\n";',
		says: { darwin: EPERM },
	},
	{
		name: "a sandbox inside the sandbox",
		why: "Its error is what a nested run is recognised by.",
		platforms: ["darwin"],
		expect: "refused",
		run: byName("bash"),
		script: "/usr/bin/sandbox-exec -p '(version 1)(allow default)' /usr/bin/true && echo THROUGH",
		says: { darwin: ["sandbox_apply"] },
	},
];

/** The descriptor inside on which the shell that starts a script tells how it ended. */
export const REPORT_FD = 8;

/** The descriptor inside on which that shell asks whether what is mounted is what was granted. */
export const GATE_FD = 9;

/**
 * The answers: it is; and the shell is to find out by itself, from what follows. Anything else means no. Each is said twice: to what waits
 * to become the script, and to the shell that started it, which learns in this way what came of it, and not from anything a script can write.
 */
export const GO = "go\ngo\n";
export const LOOK = "look\nlook\n";

/** What the shell reports when something else is. */
const CHANGED = "changed";

const CHILDREN = "/proc/1/task/1/children";

/** How many times, and for how many seconds each, what a script leaves running may go on: a `tee` behind it has output to write. */
const GRACE_ROUNDS = 10;
const GRACE_SECONDS = 0.02;

/** What becomes the script. It has the stderr that was kept for it, and nothing of what the shell has besides. */
const BECOME = `exec "$@" 2>&7 7>&- ${GATE_FD}>&-`;

/**
 * What the shell does where it is to look: one process tells all; without it, or with a path that is gone, nothing is equal. Paths and
 * numbers are data: lines that are read, never text of the shell's.
 */
const COMPARE = [
	`_robot_lab_line='\n' _robot_lab_wanted= _robot_lab_paths=`,
	"{ IFS= read -r _robot_lab_stat; while IFS= read -r _robot_lab_id && IFS= read -r _robot_lab_path; do",
	"_robot_lab_wanted=$_robot_lab_wanted$_robot_lab_id$_robot_lab_line _robot_lab_paths=$_robot_lab_paths$_robot_lab_path$_robot_lab_line",
	`done; } <&${GATE_FD}`,
	`_robot_lab_seen=$(exec 2>&7; set -f; IFS=$_robot_lab_line; exec "$_robot_lab_stat" -c %d:%i -- $_robot_lab_paths ${GATE_FD}>&- 7>&-)`,
	'[ "$_robot_lab_seen$_robot_lab_line" = "$_robot_lab_wanted" ] || refuse',
	"unset _robot_lab_line _robot_lab_wanted _robot_lab_paths _robot_lab_stat _robot_lab_id _robot_lab_path _robot_lab_seen _robot_lab_answer",
].join("\n");

/**
 * What starts a script inside, as the first process of its PID namespace. With the end of the first process the kernel ends all others,
 * and bwrap says 137 for SIGKILL and for `exit 137` alike; so this shell waits a little for what the script leaves running, and says what
 * it saw.
 *
 * Before anything of the script's is run, what is mounted is compared with what was found on the host. The shell asks, and forks while the
 * host looks: what is to become the script waits for the answer, not the shell. The names are none that a script's environment has, as
 * assigning to one would change it.
 *
 * Everything whose parent has ended becomes the shell's child, and shells collect what ends. Its own complaints go to the report, which
 * the script does not have, as it has none of what bwrap left unread. TERM must reach the script and leave the shell waiting; a trap does
 * that, where ignoring it would be inherited. Kernels built without the list of children have their processes counted instead.
 */
const PROGRAM = [
	`echo >&${GATE_FD}`,
	`exec 7>&2 2>&${REPORT_FD} ${REPORT_FD}>&- 6>&-`,
	"trap : HUP INT QUIT TERM",
	`(IFS= read -r _robot_lab_answer <&${GATE_FD}; [ "$_robot_lab_answer" = go ] || exit 1; unset _robot_lab_answer; ${BECOME})`,
	`_robot_lab_status=$?; IFS= read -r _robot_lab_answer <&${GATE_FD}`,
	`refuse() { echo ${CHANGED} >&2; exit 1; }`,
	`case $_robot_lab_answer in go) ;; look) ${COMPARE}`,
	`(${BECOME}); _robot_lab_status=$?;; *) refuse;; esac`,
	"status=$_robot_lab_status rounds=0",
	"alone() {",
	`if [ -r ${CHILDREN} ]; then read -r first <${CHILDREN}; [ -z "$first" ]`,
	"else set -- /proc/[0-9]*; [ $# -le 1 ]; fi; }",
	`until alone; do rounds=$((rounds+1)); [ $rounds -gt ${GRACE_ROUNDS} ] && break; sleep ${GRACE_SECONDS}; done`,
	'echo "ended $status" >&2',
	"exit $status",
].join("\n");

/** The command that runs `command` inside and reports on it. */
export function inShell(command: readonly string[]): readonly string[] {
	return ["/bin/sh", "-c", PROGRAM, "sh", ...command];
}

/** How a script ended, as its shell saw it. */
export interface Report {
	/** The signal's number when one ended the script. */
	readonly signal: number | undefined;
}

/**
 * Whether nothing was run because something else was mounted than was granted. What this process answered decides: a script can reach
 * the shell that started it, and with it whatever that reports. Only where the shell had to look is there nothing but its report.
 */
export function sawChange(answer: string | undefined, report: string): boolean {
	if (answer === undefined || answer.startsWith(LOOK)) return report === `${CHANGED}\n`;
	return answer !== GO;
}

const SIGNAL_BASE = 128;

/**
 * What a report says about an exit code of bwrap's. Above 128 a shell means a signal, or what the script itself said; it was a signal
 * when the shell complains of one, and when the shell was ended with the script and reports nothing. Shells say nothing of SIGINT and
 * SIGPIPE: there the exit code, 130 or 141, stays what it is.
 */
export function readReport(report: string, exitCode: number): Report {
	if (exitCode <= SIGNAL_BASE) return { signal: undefined };
	const [, complaint] = /^([\s\S]*?)ended \d+\n$/.exec(report) ?? [];
	return { signal: complaint?.trim() === "" ? undefined : exitCode - SIGNAL_BASE };
}

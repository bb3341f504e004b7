import type { Amounts } from "./amounts.js";
import type { KernelLimit } from "./limit-host.js";

export interface Setter {
	/** Absolute path: of `prlimit` on Linux, of a POSIX shell on macOS. */
	readonly setter: string;
	readonly platform: NodeJS.Platform;
}

const PRLIMIT_OPTIONS: Readonly<Record<KernelLimit, string>> = {
	memoryMb: "as",
	processes: "nproc",
	fileSizeMb: "fsize",
	cpuSeconds: "cpu",
};

/** The letters of a shell's `ulimit`, and how much one of its units is. POSIX has files counted in blocks of 512 bytes. */
const SHELL_UNITS: Readonly<Record<KernelLimit, { readonly letter: string; readonly unit: number }>> = {
	memoryMb: { letter: "v", unit: 1024 },
	processes: { letter: "u", unit: 1 },
	fileSizeMb: { letter: "f", unit: 512 },
	cpuSeconds: { letter: "t", unit: 1 },
};

/**
 * Sets a limit for every three arguments before `--`: letter, soft, hard. The soft one comes first: even root cannot set it above the
 * hard one, so that a lower limit of the host's own is found by the failure, and stays.
 */
const SHELL_PROGRAM = [
	'while [ "$1" != -- ]; do',
	'{ ulimit "-S$1" "$2" && ulimit "-H$1" "$3"; } 2>/dev/null || [ "$(ulimit "-H$1")" -lt "$2" ] 2>/dev/null ||',
	'{ echo "The limit of $2 cannot be set (ulimit -$1); nothing was run." >&2; exit 126; }',
	"shift 3",
	"done",
	"shift",
	'exec "$@"',
].join("\n");

/**
 * The program that sets limits and becomes what is put behind it; the numbers are arguments. On Linux `prlimit`, which leaves the
 * environment alone: dash drops variables whose names it could not have itself, such as those that hold functions of bash's, and adds
 * PWD. It takes 3.0 ms to the shell's 2.3. macOS has no such program, and its shell keeps them.
 */
export function setting(amounts: Amounts, { setter, platform }: Setter): readonly string[] {
	if (platform === "linux") {
		const options = [...amounts].map(([name, { soft, hard }]) => `--${PRLIMIT_OPTIONS[name]}=${soft}:${hard}`);
		return [setter, ...options, "--"];
	}
	const words = [...amounts].flatMap(([name, { soft, hard }]) => {
		const { letter, unit } = SHELL_UNITS[name];
		return [letter, String(Math.floor(soft / unit)), String(Math.floor(hard / unit))];
	});
	return [setter, "-c", SHELL_PROGRAM, "sh", ...words, "--"];
}

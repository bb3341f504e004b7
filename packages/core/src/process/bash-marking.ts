import { spawn } from "node:child_process";
import { basename } from "node:path";
import { findProgram } from "./find-program.js";
import { hostDirectory } from "./host-directory.js";
import { openInput } from "./input-file.js";
import { type Mark, newMark } from "./mark.js";
import type { RunPlan } from "./run-plan.js";

const MARK_VARIABLE = "ROBOT_LAB_MARK";

/** What bash reads before its script. It counts in KiB, and leaves neither the variables nor the descriptor to the script. */
const MARK_ITSELF = `ulimit -m "$${MARK_VARIABLE}" || :
eval "exec \${BASH_ENV##*/}<&-"
unset -v BASH_ENV ${MARK_VARIABLE}
`;

/** Shows the limits if nothing else was left behind. */
const SHOW_LIMITS = `{ : <&3; } 2> /dev/null || read -r -d "" limits < /proc/self/limits
echo "\${BASH_ENV-}\${${MARK_VARIABLE}-$limits}"`;

/** With one of these bash reads something else first, or nothing, or would show what it does. */
const TELLING_VARIABLES = ["BASH_ENV", "POSIXLY_CORRECT", "SHELLOPTS", "BASHOPTS", MARK_VARIABLE];

/**
 * The bash that the command starts, if it can mark itself before its script begins, by its own `ulimit`: that saves the program that
 * would otherwise do it.
 */
export function bashOf({ command, env, cwd }: RunPlan): string | undefined {
	const [program = ""] = command;
	if (basename(program) !== "bash" || !readsEnvironmentFile(command)) return undefined;
	if (TELLING_VARIABLES.some((name) => env[name] !== undefined)) return undefined;
	// A function of the caller's may have the name of a command that is used here.
	for (const name in env) if (name.startsWith("BASH_FUNC_")) return undefined;
	const directory = cwd ?? hostDirectory();
	if (directory === undefined) return undefined;
	const search = findProgram(program, directory, env.PATH ?? "/usr/bin:/bin");
	return "path" in search ? search.path : undefined;
}

/** As a login shell it would read, and start, other things first; with `-x` or `-n` it would show the lines or not execute them. */
function readsEnvironmentFile([, first = "", second = ""]: readonly string[]): boolean {
	const script = /^-[eu]+$/.test(first) ? second : first;
	return script === "-c" || /^[^-+]/.test(script);
}

/** The plan of a bash that marks itself. */
export function selfMarking<Plan extends Pick<RunPlan, "command" | "env" | "fds">>(plan: Plan, mark: Mark, markFile: number): Plan {
	const fd = 3 + plan.fds.length;
	return {
		...plan,
		fds: [...plan.fds, markFile],
		env: { ...plan.env, BASH_ENV: `/dev/fd/${fd}`, [MARK_VARIABLE]: String(mark / 1024) },
	};
}

let markFile: Promise<number> | undefined;
const markable = new Map<string, Promise<boolean>>();

/** A descriptor for {@link selfMarking}, of a file without a name; `undefined` where that bash is seen not to mark itself. */
export async function markFileFor(bash: string): Promise<number | undefined> {
	markFile ??= openInput(MARK_ITSELF);
	const file = await markFile.catch(() => undefined);
	if (file === undefined) {
		markFile = undefined;
		return undefined;
	}
	const known = markable.get(bash) ?? marksItself(bash, file);
	markable.set(bash, known);
	return (await known) ? file : undefined;
}

function marksItself(bash: string, file: number): Promise<boolean> {
	const mark = newMark();
	if (mark === undefined) return Promise.resolve(false);
	const { command, env, fds } = selfMarking({ command: [bash, "-c", SHOW_LIMITS], env: {}, fds: [] }, mark, file);
	return new Promise((resolve) => {
		const child = spawn(bash, command.slice(1), { stdio: ["ignore", "pipe", "ignore", ...fds], env });
		let printed = "";
		child.stdout?.setEncoding("latin1").on("data", (text: string) => {
			printed += text;
		});
		child.once("error", () => resolve(false));
		child.once("close", () => resolve(printed.includes(` ${mark} `)));
	});
}

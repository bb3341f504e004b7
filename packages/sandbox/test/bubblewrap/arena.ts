import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
	Capabilities,
	type CapabilitiesInit,
	configure,
	reloadConfig,
	type ScriptOptions,
	type ScriptResult,
	unconfinedExecutor,
} from "@robot-lab/core";
import { onTestFinished } from "vitest";
import { callNumber, type FilterArchitecture } from "../../src/bubblewrap/seccomp/call-numbers.js";
import { Executor } from "../../src/run/executor.js";
import { put, workshop } from "../support/workshop.js";

/** A host in small: a directory to write, one to read, one that is nobody's business, and a skill whose script is the attacker. */
export interface Arena {
	readonly directory: string;
	readonly skillDir: string;
	/** Granted for writing. */
	readonly out: string;
	/** Granted for reading; holds `note` with "granted". */
	readonly in: string;
	/** Not granted; holds `file` with "untouched". */
	readonly outside: string;
	/** The attack under bubblewrap. */
	confined(attack: string, more?: Attack): Promise<ScriptResult>;
	/** The same attack with nothing in its way: the control. */
	unconfined(attack: string, more?: Attack): Promise<ScriptResult>;
}

export interface Attack extends Partial<Omit<ScriptOptions, "capabilities">> {
	readonly grant?: CapabilitiesInit;
	/** Default bash. */
	readonly interpreter?: string;
}

export function arena(): Arena {
	const directory = workshop();
	const [skillDir, out, input, outside] = ["skill", "out", "in", "outside"].map((name) => join(directory, name)) as [
		string,
		string,
		string,
		string,
	];
	put(join(out, "own"), "mine\n");
	put(join(input, "note"), "granted\n");
	put(join(outside, "file"), "untouched\n");
	const run = (executor: typeof Executor, attack: string, more: Attack): Promise<ScriptResult> => {
		const { grant, interpreter = "bash", ...options } = more;
		const file = put(join(skillDir, "scripts", "attack"), `${attack}\n`, 0o755);
		const capabilities = new Capabilities({ fsRead: [input], fsWrite: [out], timeout: 20, ...grant });
		const env = { OUT: out, IN: input, OUTSIDE: outside, ...more.env };
		return executor.run([interpreter, file], { capabilities, skillDir, cwd: directory, ...options, env });
	};
	onTestFinished(() => {
		reloadConfig();
	});
	return {
		directory,
		skillDir,
		out,
		in: input,
		outside,
		confined(attack, more = {}) {
			configure({ sandbox: { enabled: true, backend: "bubblewrap", fsRead: ["/"], fsWrite: [directory], network: true } });
			return run(Executor, attack, more);
		},
		unconfined: (attack, more = {}) => run(unconfinedExecutor, attack, more),
	};
}

/** Whether this process is root, whom permissions do not stop. */
export const isRoot: boolean = process.getuid?.() === 0;

const architecture = process.arch as FilterArchitecture;

/** The number of a system call here; -1, which no kernel has, where the processor lacks it. */
export const numberOf = (call: string): number => callNumber(call, architecture) ?? -1;

/** Perl that makes one system call by number and prints `<label>=<0 or the error's number>`. Perl is what every Debian has and what can. */
export const call = (label: string, name: string, ...args: readonly (string | number)[]): string =>
	`$! = 0; $r = syscall(${[numberOf(name), ...args].join(", ")}); print "${label}=", ($r == -1 ? $! + 0 : 0), "\\n";`;

/** What a script of `call`s printed. */
export function outcomes({ output }: Pick<ScriptResult, "output">): Readonly<Record<string, number>> {
	return Object.fromEntries([...output.matchAll(/^(\w+)=(-?\d+)$/gm)].map(([, label, value]) => [label, Number(value)]));
}

export const EPERM = 1;
export const ENOSYS = 38;

/** Processes of this computer, in any PID namespace, whose command line has the marker in it. */
export function processesWith(marker: string): readonly number[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => pid > 0 && pid !== process.pid && commandLine(pid).includes(marker));
}

function commandLine(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "latin1");
	} catch {
		return "";
	}
}

/** Ends what a control left alive. */
export function endAll(pids: readonly number[]): void {
	for (const pid of pids) {
		try {
			process.kill(pid, "SIGKILL");
		} catch {
			// It has ended by itself.
		}
	}
}

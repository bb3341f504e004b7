import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Call } from "./resident-cli.js";

/** The built command. */
export const main: string = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface CliRun {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

export interface CliOptions {
	readonly cwd?: string;
	readonly stdin?: string | Uint8Array;
	readonly env?: Readonly<Record<string, string>>;
	/** Run as this user instead of the present one; only root may. */
	readonly uid?: number;
	/** A file for standard output instead of a pipe. */
	readonly stdout?: string;
}

/** Nothing of the developer's own: no key, no colours, no skills in the home directory. */
function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
	const { PATH = "" } = process.env;
	return { PATH, HOME: "/nonexistent", ...extra };
}

/** Runs the built command to its end, as a process of its own. */
export function cli(args: readonly string[], { cwd, stdin = "", env, uid, stdout: file }: CliOptions = {}): CliRun {
	const output = file === undefined ? "pipe" : openSync(file, "w");
	const { status, stdout, stderr, error } = spawnSync(process.execPath, [main, ...args], {
		encoding: "utf8",
		input: stdin,
		stdio: ["pipe", output, "pipe"],
		maxBuffer: 64 * 1024 * 1024,
		env: environment(env),
		...(cwd !== undefined && { cwd }),
		...(uid !== undefined && { uid }),
	});
	if (typeof output === "number") closeSync(output);
	// A command may end without having read all it was sent.
	if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
	return { code: status, stdout: stdout ?? "", stderr };
}

/**
 * Runs the built command to its end in a thread that has loaded it, one call after the other: for what is read, drawn or refused, where the
 * process itself tells nothing. A process for each such call took more time than all the rest of these tests.
 */
export function cliInThread(args: readonly string[], { cwd = process.cwd(), env }: Pick<CliOptions, "cwd" | "env"> = {}): CliRun {
	const variables = environment(env);
	const { HOME = "" } = variables;
	// Where skills of the user's own lie is said when the command is loaded: a home directory that has some gets a thread of its own.
	const ownSkills = existsSync(join(HOME, ".prompts")) ? HOME : "";
	if (resident?.ownSkills !== ownSkills) {
		void resident?.worker.terminate();
		resident = undefined;
	}
	const before = { directory: process.cwd(), home: process.env.HOME };
	// The directory, and the home directory that the system tells, are the process's own.
	process.chdir(cwd);
	process.env.HOME = HOME;
	try {
		resident ??= startResident(ownSkills);
		const { worker, answered, answers } = resident;
		Atomics.store(answered, 0, 0);
		const call: Call = { args, env: variables };
		worker.postMessage(call);
		if (Atomics.wait(answered, 0, 0, 60_000) === "timed-out") throw new Error(`The command did not end: robot-lab ${args.join(" ")}`);
		return receiveMessageOnPort(answers)?.message as CliRun;
	} finally {
		process.chdir(before.directory);
		process.env.HOME = before.home;
	}
}

let resident: ReturnType<typeof startResident> | undefined;

function startResident(ownSkills: string) {
	const { port1: answers, port2 } = new MessageChannel();
	const answered = new Int32Array(new SharedArrayBuffer(4));
	const workerData = { commandLine: new URL("../dist/command-line.js", import.meta.url).href, answered, answers: port2 };
	const worker = new Worker(new URL("./resident-cli.ts", import.meta.url), { workerData, transferList: [port2], trackUnmanagedFds: false });
	worker.unref();
	return { ownSkills, worker, answered, answers };
}

/** How to run the command as a user from whom files can be kept; `undefined` where there is none who can start it. */
export const stranger: CliOptions | undefined = findStranger();

function findStranger(): CliOptions | undefined {
	if (process.getuid?.() !== 0) return { cwd: "/" };
	const uid = 65534;
	return spawnSync(process.execPath, [main, "--version"], { uid, cwd: "/", stdio: "ignore" }).status === 0 ? { uid, cwd: "/" } : undefined;
}

/** Starts the built command and leaves it running. */
export function startCli(args: readonly string[], { cwd, env }: CliOptions = {}): ChildProcess {
	return spawn(process.execPath, [main, ...args], {
		stdio: ["ignore", "pipe", "pipe"],
		env: environment(env),
		...(cwd !== undefined && { cwd }),
	});
}

/** The exit code of a started command, or its signal. */
export function ended(child: ChildProcess): Promise<number | string | null> {
	return new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
}

/** Resolves once `text` has come on standard output. */
export function printed(child: ChildProcess, text: string): Promise<void> {
	return new Promise((resolve, reject) => {
		let seen = "";
		child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
			seen += chunk;
			if (seen.includes(text)) resolve();
		});
		child.once("close", () => reject(new Error(`ended before it printed ${text}: ${seen}`)));
	});
}

import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";

/** One call of the command, and where its answer goes. */
export interface Call {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** What the thread that asks waits at: see `run-cli.ts`. */
export interface Resident {
	/** The built command's own module. */
	readonly commandLine: string;
	readonly answered: Int32Array;
	readonly answers: MessagePort;
}

const EVENTS = ["warning", "uncaughtException", "unhandledRejection", "SIGINT", "SIGTERM", "SIGHUP"];

/** What is of the process in a command's life and would reach into the next one: the configuration, and what sandbox warned of. */
const STATE = ["@robot-lab/core/config/v1", "@robot-lab/sandbox/warned/v1"].map((name) => Symbol.for(name));

if (!isMainThread && parentPort !== null) serve(workerData as Resident);

/** Runs the built command for one call after another, in this one thread, which has loaded it. */
function serve({ commandLine, answered, answers }: Resident): void {
	const answer = (run: unknown): void => {
		answers.postMessage(run);
		Atomics.store(answered, 0, 1);
		Atomics.notify(answered, 0);
	};
	const loaded = Promise.all([import(commandLine), import("@robot-lab/core")]);
	loaded.catch(() => {});
	parentPort?.on("message", async ({ args, env }: Call) => {
		const modules = await loaded.catch(String);
		// of a command that cannot be loaded, each call says why
		if (typeof modules === "string") return answer({ code: null, stdout: "", stderr: modules });
		const [{ runCommandLine }, { AgentSkillCatalog }] = modules;
		process.env = { ...env };
		const run = { code: 0, stdout: "", stderr: "" };
		for (const name of ["stdout", "stderr"] as const) {
			process[name].write = (text: string | Uint8Array) => {
				run[name] += text;
				return true;
			};
		}
		const exited = new Promise<void>((resolve) => {
			process.exit = (code) => {
				process.exitCode = code;
				resolve();
				throw new Error("the command is over");
			};
		});
		await Promise.race([runCommandLine(args), exited]);
		// a process warning comes a moment after what gave rise to it
		await new Promise((resolve) => setImmediate(resolve));
		run.code = Number(process.exitCode ?? 0);
		process.exitCode = undefined;
		for (const event of EVENTS) process.removeAllListeners(event);
		for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
		AgentSkillCatalog.reset();
		for (const key of STATE) delete (globalThis as Record<symbol, unknown>)[key];
		answer(run);
	});
}

import { runBounded } from "@robot-lab/core/process";

/** Another process of the same user, with a secret in its environment. */
export interface Victim {
	readonly pid: number;
	readonly isAlive: boolean;
	end(): Promise<void>;
}

const LONGEST_MS = 60_000;

/** Node, because macOS hides the environment of its own programs. */
export async function startVictim(): Promise<Victim> {
	const controller = new AbortController();
	let isAlive = true;
	let started: (pid: number) => void = () => {};
	const pid = new Promise<number>((resolve) => {
		started = resolve;
	});
	const ended = runBounded([process.execPath, "-e", "setInterval(() => {}, 1000)"], {
		cwd: "/",
		env: { DOCTOR_SECRET: "of another process" },
		signal: controller.signal,
		timeoutMs: LONGEST_MS,
		onSpawn: started,
	}).then((run) => {
		isAlive = false;
		// Should it not have started, nobody waits for its number for ever: no process has this one.
		started(-1);
		return run;
	});
	return {
		pid: await pid,
		get isAlive() {
			return isAlive;
		},
		async end() {
			controller.abort();
			await ended;
		},
	};
}

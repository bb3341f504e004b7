import { type Context, createContext, Script } from "node:vm";

/** Far more than any check of arguments takes, and little to wait for. */
const FIRST_MS = 250;
const LEAST_MS = 20;
/** How often work is begun that was cut short while the machine did something else. */
const ATTEMPTS = 5;

/** The one script, and where it runs: made when it is first needed. Holds a function for as long as that runs, and nothing between. */
let place: { readonly script: Script; readonly context: Context } | undefined;

/**
 * Runs synchronous work that may take for ever, as a regular expression can, and cuts it short: no part of the language can, but the machine
 * under it. Whoever was late once gets half the time from then on, so that a hundred bad texts cost no more than a few.
 */
export class TimeBound {
	#allowedMs = FIRST_MS;

	/**
	 * What `work` gives. Throws what it throws, and {@link isOutOfTime} knows the error of one that was cut short.
	 *
	 * @param work May be begun more than once.
	 */
	run<T>(work: () => T): T {
		const before = process.cpuUsage();
		for (let attempt = 1; ; attempt++) {
			try {
				return runFor(work, this.#allowedMs);
			} catch (error) {
				if (!isOutOfTime(error)) throw error;
				// on a busy machine time passes in which nothing is done, and that is no fault of the work
				if (attempt < ATTEMPTS && millisecondsSince(before) < this.#allowedMs / 2) continue;
				this.#allowedMs = Math.max(LEAST_MS, Math.floor(this.#allowedMs / 2));
				throw error;
			}
		}
	}
}

export const isOutOfTime = (error: unknown): boolean =>
	typeof error === "object" && error !== null && (error as { readonly code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

function runFor<T>(work: () => T, timeout: number): T {
	place ??= { script: new Script("run()"), context: createContext() };
	const { script, context } = place;
	context.run = work;
	try {
		return script.runInContext(context, { timeout }) as T;
	} finally {
		context.run = undefined;
	}
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

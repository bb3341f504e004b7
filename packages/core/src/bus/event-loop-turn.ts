import { type FailureWarning, failureReport } from "../stream/failure-report.js";

/** More would keep timers, and with them `close()` after a while, from their turn: robots that answer each other for ever do it in microtasks. */
const MAX_STEPS = 5_000;

/** The same where the steps themselves take long. */
const MAX_MS = 5;

/** To read the clock costs as much as a step. */
const STEPS_BETWEEN_READINGS = 32;

/** One turn of the event loop: work shares what comes once in it, and leaves it when it has done much. */
export class EventLoopTurn {
	#atEnd: (() => void)[] = [];
	#isAwaited = false;
	#steps = 0;
	#startedAt = 0;
	#isLong = false;
	#report: ((error: unknown) => void) | undefined;

	/** Counts a piece of work. */
	step(): void {
		if (this.#steps === 0) {
			this.#startedAt = performance.now();
			this.#await();
		}
		this.#steps += 1;
		if (this.#steps % STEPS_BETWEEN_READINGS !== 0) return;
		this.#isLong = this.#steps > MAX_STEPS || performance.now() - this.#startedAt > MAX_MS;
	}

	/** Whether enough was done, and others wait for their turn. */
	get isLong(): boolean {
		return this.#isLong;
	}

	/** Resolves when the turn ends. */
	get end(): Promise<void> {
		return new Promise((resolve) => this.atEnd(resolve));
	}

	/** Does something when the turn ends: behind everything that follows at once from what is going on. What it throws is warned of, and holds up nothing else. */
	atEnd(action: () => void): void {
		this.#atEnd.push(action);
		this.#await();
	}

	#await(): void {
		if (this.#isAwaited) return;
		this.#isAwaited = true;
		setImmediate(this.#end);
	}

	readonly #end = (): void => {
		this.#isAwaited = false;
		this.#steps = 0;
		this.#isLong = false;
		const actions = this.#atEnd;
		this.#atEnd = [];
		for (const action of actions) this.#do(action);
	};

	#do(action: () => void): void {
		try {
			action();
		} catch (error) {
			this.#report ??= failureReport(undefined, FAILED);
			this.#report(error);
		}
	}
}

const FAILED: FailureWarning = { what: "Part of the work of a bus failed, and the rest of it goes on", code: "ROBOT_LAB_BUS_FAILED" };

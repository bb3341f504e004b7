import type { RobotMessage } from "./robot-message.js";
import type { ReplyOptions } from "./sent-message.js";
import { TimeLimit } from "./time-limit.js";

interface Waiter {
	readonly resolve: (reply: RobotMessage) => void;
	readonly reject: (error: unknown) => void;
}

/** Those who wait for the answer to one message. */
export class ReplyWaiters {
	readonly #waiters: Set<Waiter> = new Set();
	readonly #onEnd: () => void;

	/** @param onEnd Called when one waits no longer. */
	constructor(onEnd: () => void) {
		this.#onEnd = onEnd;
	}

	get isWaiting(): boolean {
		return this.#waiters.size > 0;
	}

	wait(options: ReplyOptions, late: (timeoutMs: number) => Error): Promise<RobotMessage> {
		return new Promise((resolve, reject) => {
			const end = (): void => {
				this.#waiters.delete(waiter);
				limit.end();
				this.#onEnd();
			};
			const waiter: Waiter = {
				resolve: (reply) => {
					end();
					resolve(reply);
				},
				reject: (error) => {
					end();
					reject(error);
				},
			};
			const limit = new TimeLimit(options, late, waiter.reject);
			this.#waiters.add(waiter);
		});
	}

	answered(reply: RobotMessage): void {
		for (const { resolve } of [...this.#waiters]) resolve(reply);
	}

	fail(error: unknown): void {
		for (const { reject } of [...this.#waiters]) reject(error);
	}
}

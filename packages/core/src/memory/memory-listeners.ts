import { ConfigurationError } from "../errors/configuration-error.js";
import { guardedListener } from "../errors/guarded-listener.js";
import { type FailureWarning, failureReport } from "../stream/failure-report.js";
import { Fifo } from "../stream/fifo.js";
import { type Subscription, subscription } from "../stream/subscription.js";
import type { MemoryChange } from "./memory-change.js";

/** More than any listener has to say at once, and little enough for a loop of listeners to end soon. */
const MAX_ANSWERS = 100_000;

type Listener = (change: MemoryChange) => unknown;

interface Listening {
	readonly tell: (change: MemoryChange) => void;
	/** How many had come before it: listeners are told in the order in which they came. */
	readonly place: number;
	/** How many changes had been made when it came: it hears of later ones only. */
	readonly since: number;
	isActive: boolean;
}

interface Untold {
	readonly change: MemoryChange;
	/** From 1, in the order of the changes. */
	readonly number: number;
}

/**
 * Who is told of changes. Everybody is told at once, and of each change before anybody is told of the next: what a listener changes is told
 * when all have been told of what it was told of.
 */
export class MemoryListeners {
	readonly #onError: ((error: unknown) => unknown) | undefined;
	readonly #byKey: Map<string, Set<Listening>> = new Map();
	readonly #byPattern: Map<Listening, (key: string) => boolean> = new Map();
	readonly #untold: Fifo<Untold> = new Fifo();
	#isTelling = false;
	#places = 0;
	#changes = 0;
	/** How many changes listeners have made since the first of them was told. */
	#answers = 0;

	/** @param onError Told what a listener fails with. Default: a process warning, once for each listener. */
	constructor(onError: ((error: unknown) => unknown) | undefined) {
		this.#onError = onError;
	}

	ofKeys(keys: readonly string[], listener: Listener): Subscription {
		const listening = this.#listening(listener);
		for (const key of keys) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(listening));
		return subscription(() => {
			listening.isActive = false;
			for (const key of keys) this.#leave(key, listening);
		});
	}

	ofPattern(isLike: (key: string) => boolean, listener: Listener): Subscription {
		const listening = this.#listening(listener);
		this.#byPattern.set(listening, isLike);
		return subscription(() => {
			listening.isActive = false;
			this.#byPattern.delete(listening);
		});
	}

	/** Throws ConfigurationError where listeners keep answering each other: left alone, they would never be done. */
	checkLoop(): void {
		if (!this.#isTelling || this.#answers < MAX_ANSWERS) return;
		throw new ConfigurationError(
			`Listeners of a memory have made ${MAX_ANSWERS} changes in answer to one, which looks like a loop: one sets what it, or another, ` +
				"listens to. Set other keys, or only where the value differs.",
			{ code: "memory_loop" },
		);
	}

	/** Notes a change; {@link tell} tells of it. */
	add(change: MemoryChange): void {
		this.#changes += 1;
		if (this.#isTelling) this.#answers += 1;
		this.#untold.push({ change, number: this.#changes });
	}

	/** Tells of what was added. Where somebody is being told already, that goes on with it. */
	tell(): void {
		if (this.#isTelling) return;
		this.#isTelling = true;
		try {
			for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) this.#tellOf(next);
		} finally {
			this.#isTelling = false;
			this.#answers = 0;
		}
	}

	#tellOf({ change, number }: Untold): void {
		const listenings = this.#listeningsTo(change.key);
		for (const { tell, since } of listenings) if (since < number) tell(change);
	}

	/** Taken out of the sets: one that goes while others are told must not lose them their turn. */
	#listeningsTo(key: string): readonly Listening[] {
		const exact = this.#byKey.get(key) ?? [];
		const listenings = [...exact];
		for (const [listening, isLike] of this.#byPattern) if (isLike(key)) listenings.push(listening);
		return listenings.sort((one, other) => one.place - other.place);
	}

	#listening(listener: Listener): Listening {
		const guarded = guardedListener(listener, failureReport(this.#onError, LISTENER_FAILED));
		this.#places += 1;
		const listening: Listening = {
			tell: (change) => {
				if (listening.isActive) guarded(change);
			},
			place: this.#places,
			since: this.#changes,
			isActive: true,
		};
		return listening;
	}

	#leave(key: string, listening: Listening): void {
		const listenings = this.#byKey.get(key);
		if (listenings?.delete(listening) && listenings.size === 0) this.#byKey.delete(key);
	}
}

const LISTENER_FAILED: FailureWarning = {
	what: "A listener of a memory failed, and is still told of the next changes",
	code: "ROBOT_LAB_LISTENER_FAILED",
};

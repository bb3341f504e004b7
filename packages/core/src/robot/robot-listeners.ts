import { ConfigurationError } from "../errors/configuration-error.js";
import { guardListener } from "../run/listeners.js";
import type { StreamEvent } from "../stream/stream-event.js";
import { type Subscription, subscription } from "../stream/subscription.js";
import type { LifecycleEvent } from "../update/lifecycle-event.js";
import type { OutputEvent } from "../update/output-event.js";

/** What a robot's listeners are told, by channel: of its runs and of every run beneath them. */
export interface RobotChannels {
	/** What is said and done, ready to be shown. */
	readonly content: OutputEvent;
	/** What runs, scripts and sandboxes are doing. */
	readonly lifecycle: LifecycleEvent;
	/** Output of processes as it comes; of a script both of its streams, in their order. No events: it has no numbers and no limit. */
	readonly stdout: string;
	readonly stderr: string;
	/** The log itself, of which the two first are views. */
	readonly event: StreamEvent;
}

export type RobotChannel = keyof RobotChannels;

type Listener = (value: never) => void;

/** Who listens to a robot. A list is replaced, never changed, so that whoever is being told keeps theirs. */
export class RobotListeners {
	readonly #channels: Record<RobotChannel, readonly Listener[]> = { content: [], lifecycle: [], stdout: [], stderr: [], event: [] };

	/** Throws ConfigurationError for a channel that does not exist and for what is no function. */
	add<Channel extends RobotChannel>(channel: Channel, listener: (value: RobotChannels[Channel]) => unknown): Subscription {
		if (!Object.hasOwn(this.#channels, channel)) throw unknownChannel(channel, Object.keys(this.#channels));
		if (typeof listener !== "function") throw new ConfigurationError(`robot.on("${channel}", …) needs a function, got ${typeof listener}.`);
		let isTold = true;
		const guarded = guardListener(`robot.on("${channel}")`, listener);
		const told = (value: RobotChannels[Channel]): void => {
			if (isTold) guarded(value);
		};
		this.#channels[channel] = [...this.#channels[channel], told];
		return subscription(() => {
			isTold = false;
			this.#channels[channel] = this.#channels[channel].filter((other) => other !== told);
		});
	}

	has(channel: RobotChannel): boolean {
		return this.#channels[channel].length > 0;
	}

	tell<Channel extends RobotChannel>(channel: Channel, value: RobotChannels[Channel]): void {
		for (const listener of this.#channels[channel] as readonly ((value: RobotChannels[Channel]) => void)[]) listener(value);
	}
}

const unknownChannel = (channel: unknown, known: readonly string[]): ConfigurationError =>
	new ConfigurationError(`robot.on() knows no channel ${JSON.stringify(channel)}. Known: ${known.join(", ")}.`);

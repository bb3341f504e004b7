/** What has happened in a channel, as far as this bus was part of it. */
export interface ChannelStatistics {
	/** Messages sent from here. */
	readonly published: number;
	/** How many of them had to wait for room. */
	readonly throttled: number;
	/** Messages put into queues of members here, each counted for each member. */
	readonly delivered: number;
	/** How many of these were handled. */
	readonly acked: number;
	/** Attempts that came to nothing as the handler failed or refused. */
	readonly nacked: number;
	/** Attempts that came to nothing as their time was up. */
	readonly timedOut: number;
	/** Attempts behind the first of a message. */
	readonly redelivered: number;
	/** Messages sent from here that came to nothing, each counted for each recipient. */
	readonly deadLettered: number;
	/** Delivered here, and not with the handler: in the queue, or to be tried again. */
	readonly waiting: number;
	/** With the handler, or not settled by it. */
	readonly handling: number;
}

/** The counters themselves. */
export class ChannelCounters implements ChannelStatistics {
	published = 0;
	throttled = 0;
	delivered = 0;
	acked = 0;
	nacked = 0;
	timedOut = 0;
	redelivered = 0;
	deadLettered = 0;
	waiting = 0;
	handling = 0;
}

/** Counts for each channel. */
export class BusStatistics {
	readonly #channels: Map<string, ChannelCounters> = new Map();
	/** Whoever sends, mostly sends to the same. */
	#last: { readonly channel: string; readonly counters: ChannelCounters } | undefined;

	of(channel: string): ChannelCounters {
		if (this.#last?.channel === channel) return this.#last.counters;
		const counters = this.#channels.get(channel) ?? new ChannelCounters();
		this.#channels.set(channel, counters);
		this.#last = { channel, counters };
		return counters;
	}

	/** As they are now, by channel. */
	get snapshot(): Readonly<Record<string, ChannelStatistics>> {
		return Object.freeze(Object.fromEntries([...this.#channels].map(([name, counters]) => [name, Object.freeze({ ...counters })])));
	}
}

/** What has happened in a channel, as far as this bus was part of it. Of channels that no member here has, the last 1,000 are kept. */
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

/** Whoever makes a name for each of many short tasks must not fill the memory with what they came to. */
const MAX_OTHERS = 1_000;

/** Counts for each channel. */
export class BusStatistics {
	/** Those that members here have. */
	readonly #members: Map<string, ChannelCounters> = new Map();
	/** The rest, oldest first: of members who have left, and of members elsewhere. */
	readonly #others: Map<string, ChannelCounters> = new Map();
	/** Whoever sends, mostly sends to the same. */
	#last: { readonly channel: string; readonly counters: ChannelCounters } | undefined;

	of(channel: string): ChannelCounters {
		if (this.#last?.channel === channel) return this.#last.counters;
		const counters = this.#members.get(channel) ?? this.#others.get(channel) ?? this.#addOther(channel, new ChannelCounters());
		this.#last = { channel, counters };
		return counters;
	}

	/** A member here has the name. */
	joined(channel: string): ChannelCounters {
		const counters = this.#members.get(channel) ?? this.#others.get(channel) ?? new ChannelCounters();
		this.#others.delete(channel);
		this.#members.set(channel, counters);
		this.#last = undefined;
		return counters;
	}

	/** No member here has it any more. */
	left(channel: string): void {
		const counters = this.#members.get(channel);
		this.#members.delete(channel);
		if (counters !== undefined) this.#addOther(channel, counters);
	}

	/** As they are now, by channel. */
	get snapshot(): Readonly<Record<string, ChannelStatistics>> {
		const all = [...this.#members, ...this.#others].map(([name, counters]) => [name, Object.freeze({ ...counters })] as const);
		return Object.freeze(Object.fromEntries(all));
	}

	#addOther(channel: string, counters: ChannelCounters): ChannelCounters {
		this.#others.set(channel, counters);
		const [oldest] = this.#others.size > MAX_OTHERS ? this.#others.keys() : [];
		if (oldest === undefined) return counters;
		this.#others.delete(oldest);
		if (this.#last?.channel === oldest) this.#last = undefined;
		return counters;
	}
}

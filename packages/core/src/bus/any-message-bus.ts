import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames, checkSignal, checkTimeout } from "../options/check-options.js";
import type { OpenRun } from "../stream/open-run.js";
import { describeValue } from "../text/describe-value.js";
import { BusHub } from "./bus-hub.js";
import { busOptions, type MessageBusOptions } from "./bus-options.js";
import type { ChannelStatistics } from "./bus-statistics.js";
import type { ChannelSchemas } from "./channel-content.js";
import type { DeadLetters } from "./dead-letters.js";

/** How long to wait for somebody. */
export interface WaitForOptions {
	/** Milliseconds, at most 2147483647. They keep the process alive. Default: none. */
	readonly timeoutMs?: number | undefined;
	/** Ends the waiting: the promise rejects with its reason. */
	readonly signal?: AbortSignal | undefined;
}

let hubIn: (bus: AnyMessageBus) => BusHub | undefined;

/** The hub of a bus, for its members. `undefined` for what is no bus. */
export const hubOf = (bus: AnyMessageBus): BusHub | undefined => hubIn(bus);

/** A bus, whatever its channels take: what a function takes that takes any. */
export class AnyMessageBus implements AsyncDisposable {
	readonly #hub: BusHub;

	static {
		// its members need the hub, and nobody else is to have it: a field that they can read, everybody can
		hubIn = (bus) => (typeof bus === "object" && bus !== null && #hub in bus ? bus.#hub : undefined);
	}

	/** @internal Make a `MessageBus`. */
	constructor(options: MessageBusOptions<ChannelSchemas>) {
		this.#hub = new BusHub(busOptions(options));
	}

	/** Its name in the log. */
	get name(): string {
		return this.#hub.options.name;
	}

	/** What was sent from here and came to nothing. */
	get deadLetters(): DeadLetters {
		return this.#hub.deadLetters;
	}

	/** What has happened so far, by channel. */
	get stats(): Readonly<Record<string, ChannelStatistics>> {
		return this.#hub.statistics.snapshot;
	}

	/** The names of those who joined here, sorted. Others of the same transport are not among them. */
	get names(): readonly string[] {
		return this.#hub.names;
	}

	/** Its run in the log, for what is to run beneath it. `undefined` where it has neither `log` nor `parent`. */
	get run(): OpenRun | undefined {
		return this.#hub.log?.run;
	}

	/** Whether nothing comes or goes any more: it was closed, or the connection was lost. */
	get isClosed(): boolean {
		return this.#hub.end !== undefined;
	}

	/**
	 * Resolves when somebody of that name has joined, here or in another thread, at once where that is so. Who it is may have left again by then. Rejects with
	 * BusError `timed_out`, `closed` or `connection_lost`, with ConfigurationError for what is no name or no option, and with the signal's reason.
	 */
	async waitFor(name: string, options: WaitForOptions = {}): Promise<void> {
		if (typeof name !== "string" || name === "")
			throw new ConfigurationError(`bus.waitFor() needs the name of whom to wait for, got ${describeValue(name)}.`);
		checkNames("bus.waitFor()", options, ["timeoutMs", "signal"]);
		const { timeoutMs, signal } = options;
		checkTimeout(timeoutMs);
		checkSignal("bus.waitFor()", signal);
		await this.#hub.untilJoined(name, { timeoutMs, signal });
	}

	/**
	 * Resolves when nothing that was sent from here is on its way, and nothing that came here waits or is being handled: messages that wait for room, and those
	 * that are to be tried again after a while, included. Handlers whose time was up do not count.
	 */
	idle(): Promise<void> {
		return this.#hub.idle();
	}

	/**
	 * Ends it: what waits and what is being handled is dead, the signals of deliveries are aborted. Handlers are not waited for. Later sends are refused. Harmless
	 * when done twice. For a clean end: `await bus.idle()` before.
	 */
	close(): Promise<void> {
		return this.#hub.close();
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}
}

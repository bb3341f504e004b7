import { ConfigurationError } from "../errors/configuration-error.js";
import { checkCount } from "../options/check-numbers.js";
import { checkMs, checkNames } from "../options/check-options.js";
import { EventLog } from "../stream/event-log.js";
import type { OpenRun } from "../stream/open-run.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import type { BusTransport } from "./bus-transport.js";
import { ChannelContents, type ChannelSchemas } from "./channel-content.js";
import { InProcessTransport } from "./in-process-transport.js";

/** How messages are handled: by all members of a bus, or by one of them. */
export interface HandlingLimits {
	/** Milliseconds from the moment at which a handler is given a message to that at which it must have settled it. 1 to 2147483647. Default 300,000. */
	readonly ackTimeoutMs?: number | undefined;
	/** How often a handler is given a message that it does not handle, the first time included. Default 1. */
	readonly maxAttempts?: number | undefined;
	/** Milliseconds between two attempts. 0 to 2147483647. Default 0. */
	readonly retryDelayMs?: number | undefined;
}

/** What a bus is made with. */
export interface MessageBusOptions<Channels extends ChannelSchemas = Record<never, never>> extends HandlingLimits {
	/** Its name in the log. Default `"bus"`. */
	readonly name?: string | undefined;
	/** What the content of messages to these names has to be like, checked and transformed where they are sent from. Default: any plain data. */
	readonly channels?: Channels | undefined;
	/** What moves the messages. Buses of one transport reach each other. Default: a new one of this process. */
	readonly transport?: BusTransport | undefined;
	/** The most messages that a member may have and not have settled. Whoever sends it more waits. Default 1024. */
	readonly maxPending?: number | undefined;
	/** The most dead letters that are kept, the last ones. Default 1000. */
	readonly maxDeadLetters?: number | undefined;
	/** The most messages, answers included, that a member's outbox keeps, the last ones. Default 1000. */
	readonly maxOutbox?: number | undefined;
	/** An empty log, in which everything can be followed. Default: none. */
	readonly log?: EventLog | undefined;
	/** The run beneath which the bus is a run, in the same log and no longer than it. Default: none. */
	readonly parent?: OpenRun | undefined;
}

/** A bus's options with every default applied. */
export interface ResolvedBusOptions extends Readonly<Record<keyof HandlingLimits, number>> {
	readonly name: string;
	readonly contents: ChannelContents;
	readonly transport: BusTransport;
	readonly maxPending: number;
	readonly maxDeadLetters: number;
	readonly maxOutbox: number;
	readonly log: EventLog | undefined;
	readonly parent: OpenRun | undefined;
}

// a record, so that one that is forgotten, or no longer there, does not compile
const NAMES: Readonly<Record<keyof MessageBusOptions, true>> = {
	name: true,
	channels: true,
	transport: true,
	maxPending: true,
	maxDeadLetters: true,
	maxOutbox: true,
	ackTimeoutMs: true,
	maxAttempts: true,
	retryDelayMs: true,
	log: true,
	parent: true,
};

/** The options with their defaults. Throws ConfigurationError for those that are none. */
export function busOptions(options: MessageBusOptions<ChannelSchemas>): ResolvedBusOptions {
	const what = "new MessageBus()";
	checkNames(what, options, Object.keys(NAMES));
	const {
		name = "bus",
		channels = {},
		transport = new InProcessTransport(),
		maxPending = 1_024,
		maxDeadLetters = 1_000,
		maxOutbox = 1_000,
	} = options;
	const { ackTimeoutMs = 300_000, maxAttempts = 1, retryDelayMs = 0, log, parent } = options;
	if (typeof name !== "string" || name.trim() === "")
		throw new ConfigurationError(`${what} needs a text as name, got ${describeValue(name)}.`);
	checkCount(`${what}: maxPending`, maxPending, 1);
	checkCount(`${what}: maxDeadLetters`, maxDeadLetters, 0);
	checkCount(`${what}: maxOutbox`, maxOutbox, 0);
	checkLimits(what, { ackTimeoutMs, maxAttempts, retryDelayMs });
	checkTransport(what, transport);
	checkLog(what, log, parent);
	const contents = new ChannelContents(channels);
	return { name, contents, transport, maxPending, maxDeadLetters, maxOutbox, ackTimeoutMs, maxAttempts, retryDelayMs, log, parent };
}

/** Throws ConfigurationError for limits that cannot be kept. */
export function checkLimits(what: string, { ackTimeoutMs = 1, maxAttempts = 1, retryDelayMs = 0 }: HandlingLimits): void {
	checkMs(`${what}: ackTimeoutMs`, ackTimeoutMs, 1);
	checkCount(`${what}: maxAttempts`, maxAttempts, 1);
	checkMs(`${what}: retryDelayMs`, retryDelayMs, 0);
}

/** Throws ConfigurationError for what is no transport, or one of another version. */
export function checkTransport(what: string, transport: BusTransport): void {
	if (!isRecord(transport) || typeof (transport as BusTransport).connect !== "function")
		throw new ConfigurationError(
			`${what} needs a BusTransport as transport, got ${describeValue(transport)}. Give it one, e.g. new InProcessTransport().`,
		);
	const version: unknown = (transport as BusTransport).specificationVersion;
	if (version === "v1") return;
	throw new ConfigurationError(
		`${what} needs a transport of version "v1" of the contract, got ${describeValue(version)}. Use a version of it that fits.`,
	);
}

function checkLog(what: string, log: unknown, parent: unknown): void {
	if (log === undefined) return;
	if (!(log instanceof EventLog) || log.lastSequenceNumber > 0)
		throw new ConfigurationError(`${what} needs an EventLog without events as log, got ${describeValue(log)}.`);
	if (parent !== undefined)
		throw new ConfigurationError(`${what} takes a log or a parent: beneath another run, the log is that of the root.`);
}

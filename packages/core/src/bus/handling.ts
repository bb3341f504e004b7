import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { checkLimits, type HandlingLimits } from "./bus-options.js";
import type { Delivery } from "./delivery.js";
import type { RobotMessage } from "./robot-message.js";

/** What a handler is called with. What it throws or rejects with fails the attempt. */
export type MessageHandler<Content> = (message: RobotMessage<Content>, delivery: Delivery<Content>) => unknown;

/** How a member handles messages. What is left out is as the bus says. */
export interface HandlerOptions extends HandlingLimits {
	/**
	 * `"auto"` (default): a message is settled when its handler has come to its end, or by hand before. `"manual"`: by hand only, `delivery.ack()` or `delivery.nack()`,
	 * also behind the end of its handler; one that fails before is nacked.
	 */
	readonly ack?: "auto" | "manual" | undefined;
}

/** How a member answers tasks. */
export interface TaskHandlerOptions extends HandlerOptions {
	/** Whether what the handler answers is sent to whoever asked, unless it is `undefined`. Default true. */
	readonly autoReply?: boolean | undefined;
}

/** A handler with how it is to be called. */
export interface Handling extends HandlerOptions {
	readonly handler: MessageHandler<never>;
	/** Replies are acked without it. */
	readonly ignoresReplies: boolean;
	readonly autoReply: boolean;
}

const HANDLER_NAMES: Readonly<Record<keyof HandlerOptions, true>> = {
	ack: true,
	ackTimeoutMs: true,
	maxAttempts: true,
	retryDelayMs: true,
};
const TASK_NAMES: Readonly<Record<keyof TaskHandlerOptions, true>> = { ...HANDLER_NAMES, autoReply: true };

/** Throws ConfigurationError for what is no handler, and for options that are none. */
export function messageHandling(handler: MessageHandler<never>, options: HandlerOptions): Handling {
	check("onMessage()", handler, options, HANDLER_NAMES);
	return { ...options, handler, ignoresReplies: false, autoReply: false };
}

/** The same for tasks. */
export function taskHandling(handler: MessageHandler<never>, options: TaskHandlerOptions): Handling {
	const what = "respondToTasks()";
	check(what, handler, options, TASK_NAMES);
	const { autoReply = true } = options;
	if (typeof autoReply !== "boolean")
		throw new ConfigurationError(`${what}: autoReply must be true or false, got ${describeValue(autoReply)}.`);
	return { ...options, handler, ignoresReplies: true, autoReply };
}

function check(what: string, handler: unknown, options: HandlerOptions, names: object): void {
	if (typeof handler !== "function") throw new ConfigurationError(`${what} needs a function, got ${describeValue(handler)}.`);
	checkNames(what, options, Object.keys(names));
	checkLimits(what, options);
	if (options.ack === undefined || options.ack === "auto" || options.ack === "manual") return;
	throw new ConfigurationError(`${what}: ack must be "auto" or "manual", got ${describeValue(options.ack)}.`);
}

import type { Message, ToolResultMessage } from "./message.js";
import type { StopReason } from "./stop-reason.js";

/** Says of an init that its lists are plain data and frozen to the bottom, so that they need no copy. For the makers of results in this package. */
export const FROZEN_ALREADY: unique symbol = Symbol("frozen already");

/** What a RobotResult is made of. */
export interface RobotResultInit {
	readonly id: string;
	readonly robotName: string;
	/** What the model said, in order: one text message for each reply that had text. */
	readonly output: readonly Message[];
	/** The answer as data, where it was asked for by a schema and is of it: plain data. */
	readonly data?: unknown;
	/** Every tool call with its result, in the order of the calls. */
	readonly toolCalls: readonly ToolResultMessage[];
	readonly stopReason: StopReason;
	readonly createdAt: Date;
	/** Sum over all rounds; absent when the provider reported none. */
	readonly inputTokens?: number | undefined;
	/** Sum over all rounds; absent when the provider reported none. */
	readonly outputTokens?: number | undefined;
	readonly durationMs: number;
	/** The robot that handed this work on, if one did. */
	readonly delegatedBy?: string | undefined;
	/** @internal */
	readonly [FROZEN_ALREADY]?: true;
}

/** A result as JSON: `createdAt` as an ISO 8601 string, absent fields left out. */
export interface RobotResultRecord extends Omit<RobotResultInit, "createdAt" | "durationMs"> {
	readonly createdAt: string;
	readonly durationMs?: number;
}

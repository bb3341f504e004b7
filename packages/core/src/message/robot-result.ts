import { ConfigurationError } from "../errors/configuration-error.js";
import { frozenCopy } from "../value/frozen-copy.js";
import type { Message, ToolResultMessage } from "./message.js";
import { parseRobotResult } from "./parse-robot-result.js";
import { FROZEN_ALREADY, type RobotResultInit, type RobotResultRecord } from "./robot-result-record.js";
import type { StopReason } from "./stop-reason.js";

/**
 * The outcome of one run of a robot. Immutable: it and what it holds are frozen copies.
 *
 * @typeParam Data What the answer is as data, where a schema was asked for.
 */
export class RobotResult<Data = unknown> {
	readonly id: string;
	readonly robotName: string;
	readonly output: readonly Message[];
	/** The answer as data, frozen, where it was asked for by a schema and is of it; `undefined` else. */
	readonly data: Data | undefined;
	readonly toolCalls: readonly ToolResultMessage[];
	readonly stopReason: StopReason;
	readonly createdAt: Date;
	readonly inputTokens: number | undefined;
	readonly outputTokens: number | undefined;
	readonly durationMs: number;
	readonly delegatedBy: string | undefined;

	constructor(init: RobotResultInit) {
		this.id = init.id;
		this.robotName = init.robotName;
		const isFrozen = init[FROZEN_ALREADY] === true;
		this.output = isFrozen ? init.output : frozenCopy(init.output);
		this.data = (isFrozen ? init.data : frozenCopy(init.data)) as Data | undefined;
		this.toolCalls = isFrozen ? init.toolCalls : frozenCopy(init.toolCalls);
		this.stopReason = init.stopReason;
		this.createdAt = new Date(init.createdAt);
		this.inputTokens = init.inputTokens;
		this.outputTokens = init.outputTokens;
		this.durationMs = init.durationMs;
		this.delegatedBy = init.delegatedBy;
		Object.freeze(this);
	}

	/** The last text the model said in this run, or `undefined` when it said none. */
	get lastTextContent(): string | undefined {
		const last = this.output.findLast((message) => message.type === "text");
		return last?.type === "text" ? last.content : undefined;
	}

	get hasToolCalls(): boolean {
		return this.toolCalls.length > 0;
	}

	/** Whether the model came to its own end: not cut, aborted or out of tool rounds. */
	get stopped(): boolean {
		return this.stopReason === "stop";
	}

	/** What the run came to, without how it went (`durationMs`, `delegatedBy`). */
	export(): RobotResultRecord {
		const { durationMs: _, delegatedBy: __, ...record } = this.toJSON();
		return record;
	}

	/** Everything, ready for `JSON.stringify`; {@link RobotResult.fromJSON} reads it back. */
	toJSON(): RobotResultRecord {
		return {
			id: this.id,
			robotName: this.robotName,
			output: this.output,
			...(this.data !== undefined && { data: this.data }),
			toolCalls: this.toolCalls,
			stopReason: this.stopReason,
			createdAt: this.createdAt.toISOString(),
			...(this.inputTokens !== undefined && { inputTokens: this.inputTokens }),
			...(this.outputTokens !== undefined && { outputTokens: this.outputTokens }),
			durationMs: this.durationMs,
			...(this.delegatedBy !== undefined && { delegatedBy: this.delegatedBy }),
		};
	}

	/** Reads what {@link toJSON} or {@link export} gave, as an object or as JSON text. Throws ConfigurationError naming the field that is wrong. */
	static fromJSON(json: unknown): RobotResult {
		return new RobotResult(parseRobotResult(typeof json === "string" ? parseText(json) : json));
	}
}

function parseText(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch (cause) {
		throw new ConfigurationError("Cannot read a RobotResult: the text is not JSON.", { cause });
	}
}

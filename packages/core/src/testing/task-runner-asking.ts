import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Json } from "../json/json-values.js";
import { Memory } from "../memory/memory.js";
import { RobotResult } from "../message/robot-result.js";
import type { TaskRequest } from "../network/task-runner.js";
import type { RunOptions } from "../robot/run-options.js";
import { EventLog } from "../stream/event-log.js";
import { RunInside } from "../stream/open-run.js";
import { RunPublisher } from "../stream/run-publisher.js";
import type { StreamEvent } from "../stream/stream-event.js";
import type { TestedTaskRunner } from "./task-runner-contract.js";

/** What an attempt is asked for with, besides its robot and its message. */
export interface AskedWith {
	/** Default: a new one. */
	readonly key?: string;
	readonly context?: Readonly<Record<string, Json>>;
	readonly inherited?: TaskRequest["inherited"];
	readonly signal?: AbortSignal;
	/** What the network gives in this process besides. */
	readonly local?: RunOptions;
	readonly hasOwnMemory?: boolean;
}

/** Asks a runner for attempts, as a network does, and has the log in which they are told. */
export class TaskAsker {
	readonly #tested: TestedTaskRunner;
	readonly #log = new EventLog();
	readonly #task = RunPublisher.root(this.#log, { name: "task", scope: "task" });

	constructor(tested: TestedTaskRunner) {
		this.#tested = tested;
	}

	/** What the robot came to, read as a network reads it. */
	async ask(robot: string, message: string, asked: AskedWith = {}): Promise<RobotResult> {
		const { key = randomUUID(), context, inherited = {}, signal = new AbortController().signal, local, hasOwnMemory = false } = asked;
		const given = context === undefined ? {} : { context };
		const request = { key, network: "lab", task: "task", robot, message, inherited, ...given };
		const parent = new RunInside(this.#task, signal);
		const options = { memory: new Memory(), inherited: { writer: "task", ...inherited }, ...given, ...local, signal, parent };
		const answer = await this.#tested.runner.run(request, { robot: this.#tested.robot(robot), options, hasOwnMemory });
		return answer instanceof RobotResult ? answer : RobotResult.fromJSON(answer);
	}

	/** The text of the same. */
	async text(robot: string, message: string, asked: AskedWith = {}): Promise<string | undefined> {
		return (await this.ask(robot, message, asked)).lastTextContent;
	}

	/** Ends the task. The whole log. */
	end(): readonly StreamEvent[] {
		this.#task.end({ event: "run.completed" });
		return this.#log.after(0);
	}
}

/** What it rejects with. Throws where it does not. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
	promise.then(
		(answer) => assert.fail(`it came to ${JSON.stringify(answer)}`),
		(error) => error,
	);

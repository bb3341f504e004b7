import { ConfigurationError } from "../errors/configuration-error.js";
import { DelegationTimeoutError } from "../errors/delegation-timeout-error.js";
import { resultIn } from "../message/result-in.js";
import { RobotResult } from "../message/robot-result.js";
import { checkNames, checkTimeout } from "../options/check-options.js";
import { type Deferred, deferred } from "../process/deferred.js";
import { describeValue } from "../text/describe-value.js";
import { checkRunOptions } from "./check-run-options.js";
import type { DelegateOptions, DelegationWaitOptions } from "./delegate-options.js";
import type { RunOptions } from "./run-options.js";

/** Who can be handed work: a robot, or what runs like one. It has to come to an end once its signal is aborted. */
export interface Delegate {
	readonly name: string;
	run(message: string, options?: RunOptions): Promise<RobotResult>;
}

/** Whether a value can be handed work, by its shape: a robot of another copy of the package can, too. */
export const isDelegate = (value: unknown): value is Delegate =>
	typeof value === "object" &&
	value !== null &&
	"name" in value &&
	typeof value.name === "string" &&
	"run" in value &&
	typeof value.run === "function";

/** Work to be handed on. */
export interface NewDelegation {
	readonly to: Delegate;
	readonly task: string;
	/** The name of the robot that hands it on. */
	readonly from: string;
	readonly options: DelegateOptions;
}

/**
 * Work that was handed to another robot and goes on: await it, or keep it and do something else. It comes to an end, whether
 * somebody waits or not: with the result, which says who handed the work on and how long it took, with what the other robot failed with, or with
 * DelegationTimeoutError when its time is up.
 */
export class DelegationFuture implements Promise<RobotResult> {
	readonly [Symbol.toStringTag]: string = "DelegationFuture";
	/** The robot that does the work. */
	readonly robotName: string;
	/** The robot that handed it on. */
	readonly delegatedBy: string;
	readonly #stop: AbortController = new AbortController();
	readonly #end: Deferred<RobotResult> = deferred();
	#isSettled = false;

	/** Begins the work. Throws ConfigurationError for who cannot be handed any, for work that is none, and for options that are unknown or none. */
	constructor({ to, task, from, options: given }: NewDelegation) {
		if (!isDelegate(to)) throw new ConfigurationError(`delegate() hands work to a robot, got ${describeValue(to)}.`);
		checkRunOptions("delegate", task, given);
		const { timeoutMs, ...options } = given;
		this.robotName = to.name;
		this.delegatedBy = from;
		const stopWaiting = this.#deadline(timeoutMs);
		const settle = (): void => {
			this.#isSettled = true;
			stopWaiting();
		};
		// nobody has to wait for it, and nobody must be told of an unhandled rejection then
		this.#end.promise.then(settle, settle);
		const signal = options.signal === undefined ? this.#stop.signal : AbortSignal.any([options.signal, this.#stop.signal]);
		const work = (async () => to.run(task, { ...options, signal }))();
		work.then((result) => delegated(result, this)).then(this.#end.resolve, this.#end.reject);
	}

	/** Whether the work has come to an end, a good one or not. */
	get isSettled(): boolean {
		return this.#isSettled;
	}

	/** The result. With `timeoutMs` it is waited for so long from now on, and then the other robot is stopped. */
	async value(options: DelegationWaitOptions = {}): Promise<RobotResult> {
		checkNames("value()", options, ["timeoutMs"]);
		const stopWaiting = this.#deadline(options.timeoutMs);
		return this.#end.promise.finally(stopWaiting);
	}

	/** Stops the other robot. The result then says `aborted` and holds what had been said. */
	cancel(): void {
		this.#stop.abort();
	}

	// biome-ignore lint/suspicious/noThenProperty: to be awaited is what it is for
	then<Result = RobotResult, Failure = never>(
		onResult?: ((result: RobotResult) => Result | PromiseLike<Result>) | null,
		onFailure?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
	): Promise<Result | Failure> {
		return this.#end.promise.then(onResult, onFailure);
	}

	// biome-ignore lint/suspicious/noExplicitAny: as every promise has it
	catch<Failure = never>(onFailure?: ((error: any) => Failure | PromiseLike<Failure>) | null): Promise<RobotResult | Failure> {
		return this.#end.promise.catch(onFailure);
	}

	finally(onEnd?: (() => void) | null): Promise<RobotResult> {
		return this.#end.promise.finally(onEnd);
	}

	/** What takes the deadline away again. */
	#deadline(timeoutMs: number | undefined): () => void {
		checkTimeout(timeoutMs);
		if (timeoutMs === undefined || this.#isSettled) return () => {};
		const timer = setTimeout(() => {
			this.#end.reject(new DelegationTimeoutError(this.robotName, timeoutMs));
			this.#stop.abort();
		}, timeoutMs);
		return () => clearTimeout(timer);
	}
}

/** Throws what becomes of the future where a delegate that is no robot of ours answers with something else. */
function delegated(result: unknown, { robotName, delegatedBy }: DelegationFuture): RobotResult {
	const read = resultIn(result);
	if (read !== undefined) return new RobotResult({ ...read, delegatedBy });
	throw new ConfigurationError(`"${robotName}" was handed work and answered with ${describeValue(result)}, which is no RobotResult.`);
}

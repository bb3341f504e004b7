import { onAbort } from "../process/on-abort.js";
import { isRecord } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { type CallContext, contextWithin } from "./call-context.js";
import { CallDeadline } from "./call-deadline.js";
import { knownTools } from "./known-tools.js";
import type { ParsedToolInput } from "./parse-tool-input.js";
import { resultText } from "./result-text.js";
import type { Tool, ToolArguments, ToolContext } from "./tool.js";
import { outcomeIn, type ToolOutcome } from "./tool-outcome.js";

/** One call as the model sent it. */
export interface ToolRequest {
	readonly name: string;
	/** The arguments as {@link parseToolInput} read them. */
	readonly args: ParsedToolInput;
}

/** How long a tool may take to end what it started, once its signal is aborted, before it is left behind. */
const ABORT_GRACE_MS = 1_000;

/**
 * Makes one call: find the tool, check the arguments, run it. Never throws; every failure is text for the model, without a stack. A tool
 * whose run is aborted, or whose time is up, gets a second to end by itself, so that a script's processes are gone when this settles.
 */
export async function callTool(request: ToolRequest, tools: ReadonlyMap<string, Tool>, context: CallContext): Promise<ToolOutcome> {
	const tool = tools.get(request.name);
	if (tool === undefined) return failure("unknown tool", unknownTool(request.name, tools));
	if (context.signal?.aborted) return notStarted();
	try {
		return await callWithin(tool, request, context);
	} catch (error) {
		// a tool that has the shape of one, and throws where it is only looked at: its call needs a result as every other does
		return failure(request.name, messageOf(error));
	}
}

async function callWithin(tool: Tool, { args }: ToolRequest, context: CallContext): Promise<ToolOutcome> {
	const deadline = tool.timeoutMs === undefined ? undefined : new CallDeadline(tool.timeoutMs, context.signal);
	try {
		return await new Call(tool, contextWithin(context, deadline?.signal), deadline).make(args);
	} finally {
		deadline?.stop();
	}
}

/** One call that is being made. */
class Call {
	readonly #tool: Tool;
	readonly #context: ToolContext;
	readonly #deadline: CallDeadline | undefined;

	constructor(tool: Tool, context: ToolContext, deadline: CallDeadline | undefined) {
		this.#tool = tool;
		this.#context = context;
		this.#deadline = deadline;
	}

	make(args: ParsedToolInput): Promise<ToolOutcome> {
		const { signal } = this.#context;
		const running = this.#run(args);
		return signal === undefined ? running : Promise.race([running, this.#leftBehind(signal, running)]);
	}

	async #run(args: ParsedToolInput): Promise<ToolOutcome> {
		if (!args.ok) return failure("invalid arguments", args.message);
		const checked = await this.#check(args.value);
		if (!checked.ok) return failure("invalid arguments", checked.message);
		if (this.#context.signal?.aborted) return this.#isLate ? this.#late(this.#context.signal.reason) : notStarted();
		return this.#tool.call === undefined ? this.#execute(checked.value) : this.#callWhole(this.#tool.call, checked.value);
	}

	async #check(input: unknown): Promise<ToolArguments> {
		try {
			return checkOf(await this.#tool.validate(input));
		} catch (error) {
			return { ok: false, message: messageOf(error) };
		}
	}

	async #execute(input: unknown): Promise<ToolOutcome> {
		const { name, maxResultBytes } = this.#tool;
		let result: unknown;
		try {
			result = await this.#tool.execute(input, this.#context);
		} catch (error) {
			return this.#failed(error);
		}
		try {
			return { text: resultText(result, maxResultBytes), isError: false };
		} catch (error) {
			return failure(name, messageOf(error));
		}
	}

	async #callWhole(call: NonNullable<Tool["call"]>, input: unknown): Promise<ToolOutcome> {
		try {
			return outcomeOf(await call.call(this.#tool, input, this.#context), this.#tool.name);
		} catch (error) {
			return this.#failed(error);
		}
	}

	/** Whether the time was up while the run went on. */
	get #isLate(): boolean {
		return this.#deadline?.hasPassed === true;
	}

	#failed(error: unknown): ToolOutcome {
		if (this.#isLate) return this.#late(error);
		const outcome = failure(this.#tool.name, messageOf(error));
		return this.#context.signal?.aborted ? outcome : this.#raising(outcome, error);
	}

	/** What comes of a call whose time was up, `error` being what the tool threw then, or what its signal was aborted with. */
	#late(error: unknown): ToolOutcome {
		const message = `the tool was given ${this.#tool.timeoutMs} ms and did not end in that time`;
		return this.#raising({ ...failure("timed out", message), timedOut: true }, error);
	}

	#raising(outcome: ToolOutcome, error: unknown): ToolOutcome {
		const isRaised = this.#tool.raiseOnError === true && this.#tool.call === undefined;
		return isRaised ? { ...outcome, raised: { error } } : outcome;
	}

	#leftBehind(signal: AbortSignal, running: Promise<unknown>): Promise<ToolOutcome> {
		return new Promise((resolve) => {
			let timer: NodeJS.Timeout | undefined;
			const stopListening = onAbort(signal, () => {
				timer = setTimeout(
					() => resolve(this.#isLate ? this.#late(signal.reason) : failure("aborted", "the run was aborted while this tool ran")),
					ABORT_GRACE_MS,
				);
			});
			const stop = (): void => {
				clearTimeout(timer);
				stopListening();
			};
			running.then(stop, stop);
		});
	}
}

/** What a tool that is not typed checks with may be anything. */
function checkOf(checked: unknown): ToolArguments {
	if (!isRecord(checked)) return { ok: false, message: NO_CHECK };
	const { ok, value, message } = checked;
	if (ok === true) return { ok, value };
	return { ok: false, message: ok === false ? messageOf(message) : NO_CHECK };
}

/** What it answers with, too. */
function outcomeOf(answer: unknown, name: string): ToolOutcome {
	const outcome = outcomeIn(answer);
	if (outcome === undefined) return failure(name, "its call() answered with something that is no outcome: { text, isError }");
	const { raised: _, ...rest } = outcome;
	return rest;
}

const NO_CHECK = "its validate() answered with something that is no check: { ok: true, value } or { ok: false, message }";

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
	return `there is no tool ${JSON.stringify(name.slice(0, 100))}. ${knownTools(tools.keys())}`;
}

const failure = (what: string, message: string): ToolOutcome => ({ text: `Error (${what}): ${message}`, isError: true });

const notStarted = (): ToolOutcome => failure("aborted", "the run was aborted before this call was made");

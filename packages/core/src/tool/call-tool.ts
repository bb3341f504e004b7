import { onAbort } from "../process/on-abort.js";
import { messageOf } from "./error-text.js";
import type { ParsedToolInput } from "./parse-tool-input.js";
import type { Tool, ToolContext } from "./tool.js";
import type { ToolOutcome } from "./tool-outcome.js";

/** One call as the model sent it. */
export interface ToolRequest {
	readonly name: string;
	/** The arguments as {@link parseToolInput} read them. */
	readonly args: ParsedToolInput;
}

/** How long an aborted tool may take to end what it started before it is left behind. */
const ABORT_GRACE_MS = 1_000;
const MAX_NAMES_LISTED = 50;

/**
 * Makes one call: find the tool, check the arguments, run it. Never throws; every failure is text for the model,
 * without a stack. An aborted tool gets a second to end by itself, so that a script's processes are gone when this settles.
 */
export async function callTool(request: ToolRequest, tools: ReadonlyMap<string, Tool>, context: ToolContext): Promise<ToolOutcome> {
	const tool = tools.get(request.name);
	if (tool === undefined) return failure("unknown tool", unknownTool(request.name, tools));
	const { signal } = context;
	if (signal?.aborted) return notStarted();
	const running = run(tool, request.args, context);
	return signal === undefined ? running : Promise.race([running, abandoned(signal, running)]);
}

async function run(tool: Tool, args: ParsedToolInput, context: ToolContext): Promise<ToolOutcome> {
	if (!args.ok) return failure("invalid arguments", args.message);
	try {
		const checked = await tool.validate(args.value);
		if (!checked.ok) return failure("invalid arguments", checked.message);
		if (context.signal?.aborted) return notStarted();
		if (tool.call !== undefined) return outcomeOf(await tool.call(checked.value, context), tool.name);
		return { text: toText(await tool.execute(checked.value, context)), isError: false };
	} catch (error) {
		return failure(tool.name, messageOf(error));
	}
}

function abandoned(signal: AbortSignal, running: Promise<unknown>): Promise<ToolOutcome> {
	return new Promise((resolve) => {
		let timer: NodeJS.Timeout | undefined;
		const stopListening = onAbort(signal, () => {
			timer = setTimeout(() => resolve(failure("aborted", "the run was aborted while this tool ran")), ABORT_GRACE_MS);
		});
		void running.finally(() => {
			clearTimeout(timer);
			stopListening();
		});
	});
}

/** What a tool that is not typed answers with may be anything. */
function outcomeOf(outcome: unknown, name: string): ToolOutcome {
	const { text, isError } = (outcome ?? {}) as Partial<ToolOutcome>;
	if (typeof text !== "string") return failure(name, "its call() answered with something that is no outcome: { text, isError }");
	return { ...(outcome as ToolOutcome), isError: isError === true };
}

function toText(result: unknown): string {
	if (typeof result === "string") return result;
	return JSON.stringify(result) ?? "";
}

function unknownTool(name: string, tools: ReadonlyMap<string, Tool>): string {
	const names = [...tools.keys()];
	const listed = names.slice(0, MAX_NAMES_LISTED).join(", ");
	const more = names.length > MAX_NAMES_LISTED ? ` and ${names.length - MAX_NAMES_LISTED} more` : "";
	return `there is no tool ${JSON.stringify(name.slice(0, 100))}. ${names.length === 0 ? "No tools are available" : `Available: ${listed}${more}`}`;
}

const failure = (what: string, message: string): ToolOutcome => ({ text: `Error (${what}): ${message}`, isError: true });

const notStarted = (): ToolOutcome => failure("aborted", "the run was aborted before this call was made");

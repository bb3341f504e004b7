import type { JSONValue, LanguageModelV4StreamPart, LanguageModelV4ToolCall, LanguageModelV4ToolResult } from "@ai-sdk/provider";
import type { NewPart } from "../stream/part-writer.js";
import { isRecord } from "../text/describe-value.js";
import { wellFormedValue } from "../text/well-formed.js";
import { parseToolInput } from "../tool/parse-tool-input.js";
import { freezeWhole } from "../value/freeze-whole.js";
import { frozenCopy } from "../value/frozen-copy.js";
import type { ReplyIntake } from "./reply-intake.js";

interface NamedCall {
	readonly toolName: unknown;
	readonly providerExecuted?: boolean | undefined;
}

function callFacts({ ports }: ReplyIntake, toolCallId: string, call: NamedCall): Omit<NewPart, "type"> & { readonly toolCallId: string } {
	const toolName = nameOf(call);
	const skill = ports.tools.skillOf.get(toolName);
	return { toolCallId, toolName, ...(skill !== undefined && { skill }), ...(call.providerExecuted && { providerExecuted: true }) };
}

/** The arguments of a call begin to come. */
export function openInput(intake: ReplyIntake, part: Extract<LanguageModelV4StreamPart, { type: "tool-input-start" }>): void {
	if (intake.inputs.has(part.id)) return;
	intake.inputs.set(part.id, intake.ports.run.part({ ...callFacts(intake, intake.ids.begin(part.id), part), type: "tool-call" }));
}

/** A call has come whole. */
export function acceptCall(intake: ReplyIntake, part: LanguageModelV4ToolCall): void {
	const { reply, ports, inputs } = intake;
	const toolCallId = intake.ids.complete(part.toolCallId, part.providerExecuted === true);
	const facts = callFacts(intake, toolCallId, part);
	const text = inputText(part.input);
	const args = parseToolInput(text);
	if (args.ok) freezeWhole(args.value);
	reply.content.push({
		type: "tool-call",
		toolCallId,
		toolName: nameOf(part),
		// providers take an object here and refuse the whole history otherwise
		input: args.ok && isRecord(args.value) ? args.value : { invalid: args.ok ? args.value : args.raw },
		...(part.providerExecuted && { providerExecuted: true }),
		...(part.providerMetadata && { providerOptions: part.providerMetadata }),
	});
	if (!part.providerExecuted) reply.calls.push({ id: toolCallId, name: nameOf(part), args, text });
	const streamed = inputs.get(part.toolCallId);
	const input = streamed ?? ports.run.part({ ...facts, type: "tool-call" });
	if (streamed === undefined) input.delta(text);
	inputs.delete(part.toolCallId);
	input.complete(args.ok ? { input: args.value } : {});
	ports.run.announceCall(facts);
}

/** What a call without a name is kept as, for the history needs one: the model is told that there is no such tool. */
const NAMELESS = "unnamed_tool";

function nameOf({ toolName }: { readonly toolName: unknown }): string {
	return typeof toolName === "string" && toolName !== "" ? toolName : NAMELESS;
}

/** Arguments that came as data may be such that there is no JSON of them: the model is told so, as this is none. */
function inputText(input: unknown): string {
	if (typeof input === "string") return input;
	try {
		return JSON.stringify(input) ?? "";
	} catch {
		return "(arguments that cannot be written as JSON)";
	}
}

/** The provider has made a call itself, and says what came of it. A call has one output: a second one, or one of a call that nobody saw, is for the history alone. */
export function acceptResult(intake: ReplyIntake, part: LanguageModelV4ToolResult): void {
	const toolCallId = intake.ids.answered(part.toolCallId);
	const value = wellFormedValue(frozenCopy(part.result));
	intake.reply.content.push({
		type: "tool-result",
		toolCallId,
		toolName: nameOf(part),
		output: { type: part.isError ? "error-json" : "json", value: (value ?? null) as JSONValue },
		...(part.providerMetadata && { providerOptions: part.providerMetadata }),
	});
	if (!intake.ports.run.awaitsProvider(toolCallId)) return;
	const facts = callFacts(intake, toolCallId, { toolName: part.toolName, providerExecuted: true });
	const output = intake.ports.run.part({ ...facts, type: "tool-output" });
	const ending = { result: resultText(value), rawOutput: part.result };
	if (part.isError) output.fail({ code: "tool_failed", message: ending.result }, ending);
	else output.complete(ending);
}

const resultText = (result: unknown): string => (typeof result === "string" ? result : (JSON.stringify(result) ?? ""));

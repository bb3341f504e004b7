import { randomUUID } from "node:crypto";
import { anySignal } from "../process/any-signal.js";
import type { ToolContext } from "../tool/tool.js";
import type { Ask } from "./ask.js";
import { answerTo, listed, type Question } from "./question.js";
import { shownText } from "./shown-text.js";

/** How often a person is asked for one of the choices. */
const MAX_ATTEMPTS = 3;

/** As long as a line is read. */
const MAX_ANSWER_CHARACTERS = 64 * 1024;

const EMPTY_ANSWER = "(the answer was empty)";

export interface QuestionPorts {
	readonly ask: Ask;
	readonly toolName: string;
	readonly timeoutMs: number | undefined;
	readonly context: ToolContext;
}

/**
 * Puts a question until there is an answer that can be used, and tells the run's log that a person is waited for. Throws, with a message for
 * the model, where there is none and no default.
 */
export async function poseQuestion(question: Question, { ask, toolName, timeoutMs, context }: QuestionPorts): Promise<string> {
	if (context.signal?.aborted) throw new Error(ABORTED);
	const deadline = new AbortController();
	// unlike AbortSignal.timeout(), it keeps the process alive: somebody waits for what comes of it
	const timer = timeoutMs === undefined ? undefined : setTimeout(() => deadline.abort(), timeoutMs);
	const requestId = randomUUID();
	const { text, choices, default: preset } = question;
	const toolInput = { question: text, ...(choices.length > 0 && { choices }), ...(preset !== undefined && { default: preset }) };
	const expiresAt = timeoutMs !== undefined && { expiresAt: Date.now() + timeoutMs };
	const { toolCallId } = context;
	const asking = { toolName, toolInput, ...(toolCallId !== undefined && { toolCallId }) };
	context.run?.publish("hitl.requested", { requestId, toolCalls: [asking], ...expiresAt });
	let answer: string | undefined;
	try {
		answer = await answerFrom(question, ask, anySignal(context.signal, deadline.signal) ?? deadline.signal);
	} finally {
		clearTimeout(timer);
		context.run?.publish("hitl.resolved", { requestId, resolution: answer === undefined ? "denied" : "approved" });
	}
	if (answer !== undefined) return answer;
	if (context.signal?.aborted) throw new Error(ABORTED);
	if (preset !== undefined) return preset;
	const late = timeoutMs !== undefined && deadline.signal.aborted;
	throw new Error(late ? `nobody answered within ${timeoutMs / 1_000} s` : "there is nobody to answer: the input has ended");
}

/** `undefined`: nobody answered. */
async function answerFrom(question: Question, ask: Ask, signal: AbortSignal): Promise<string | undefined> {
	let put = question;
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
		const typed = await ask(put, { signal });
		if (typed === undefined) return undefined;
		const meant = answerTo(question, shownText(typed, MAX_ANSWER_CHARACTERS));
		if ("answer" in meant) return meant.answer === "" ? EMPTY_ANSWER : meant.answer;
		put = { ...question, problem: meant.problem };
	}
	throw new Error(`none of the choices was chosen in ${MAX_ATTEMPTS} attempts: ${listed(question.choices)}`);
}

const ABORTED = "the run was aborted before anybody answered";

import { messagesOf } from "../history/messages-of.js";
import type { LlmGenerationResult } from "../hook/hook-facts.js";
import { assistantText } from "../message/message.js";
import type { StopReason } from "../message/stop-reason.js";
import { wellFormed } from "../text/well-formed.js";
import { runLoop } from "./run-loop.js";
import { lastTextOf, type RunPorts, type RunState } from "./run-state.js";

/**
 * The model's turn, with the hooks of the run around it. Another message that a hook sets is what was said; another text is what was answered: it
 * takes the place of the model's last one, in the result and in the history.
 */
export async function generate(message: string, state: RunState, ports: RunPorts): Promise<StopReason> {
	const { hooks, modelLabel, tools } = ports;
	if (!hooks?.has("llmGeneration")) return runLoop(state, ports);
	const before = state.prompt.slice(0, -1);
	const [first] = before;
	const facts = {
		message,
		model: modelLabel,
		systemPrompt: first?.role === "system" ? first.content : "",
		tools: [...tools.byName.keys()],
		messages: messagesOf(before.filter(({ role }) => role !== "system")),
	};
	const { text, stopReason } = await hooks.run("llmGeneration", facts, async (set): Promise<LlmGenerationResult> => {
		if (set.message !== message) replaceMessage(state, message, set.message);
		const reason = await runLoop(state, ports);
		return { text: lastTextOf(state), stopReason: reason, usage: state.usage };
	});
	if (text !== lastTextOf(state)) replaceAnswer(state, text);
	return stopReason;
}

/** The message is the first part of the last message of the prompt, where the robot's learnings may stand before it. */
function replaceMessage({ prompt, turn }: RunState, from: string, to: string): void {
	for (const messages of [prompt, turn]) {
		const user = messages.pop();
		if (user?.role !== "user") throw new Error("the prompt of a run ends with the user's message");
		const [said, ...attached] = user.content;
		const before = said?.type === "text" ? said.text.slice(0, -from.length) : "";
		messages.push({ role: "user", content: [{ type: "text", text: wellFormed(`${before}${to}`) }, ...attached] });
	}
}

/** In the place of the model's last text, which calls that were not made any more may stand behind. Calls stay: they were made. */
function replaceAnswer({ output, turn }: RunState, text: string): void {
	output.pop();
	if (text !== "") output.push(assistantText(text));
	const said = text === "" ? [] : [{ type: "text", text } as const];
	const place = turn.findLastIndex(({ role, content }) => role === "assistant" && content.some(({ type }) => type === "text"));
	const message = turn[place];
	const others = message?.role === "assistant" ? message.content.filter(({ type }) => type !== "text") : [];
	// calls stand last, with their results behind them
	const calls = others.findIndex(({ type }) => type === "tool-call");
	const content = calls === -1 ? [...others, ...said] : [...others.slice(0, calls), ...said, ...others.slice(calls)];
	turn.splice(message === undefined ? turn.length : place, 1, ...(content.length > 0 ? [{ role: "assistant", content } as const] : []));
}

import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import type { History } from "../../src/history/history.js";

type Part = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

const WORDS = "robot apple basket river winter piano engine garden count measure 東京の天気 ok the".split(" ");
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }).map((list) => list.join(" "));

/** What becomes of one call of a reply. The provider's own may be answered at once, by the next reply, or never. */
const call = fc.record({
	toolName: fc.constantFrom("find", "find", "mcp.find"),
	made: fc.constantFrom("us", "us", "at once", "later", "never"),
	says: words,
});
const reply = fc.record({
	thinks: fc.boolean(),
	says: fc.option(words, { nil: "" }),
	calls: fc.array(call, { maxLength: 3 }),
	adds: fc.option(words, { nil: "" }),
});
const turn = fc.record({ asks: words, file: fc.boolean(), replies: fc.array(reply, { minLength: 1, maxLength: 4 }) });

type Plan = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** Any history that a robot can have. */
export const histories: fc.Arbitrary<History> = fc.array(turn, { maxLength: 9 }).map(historyFrom);

function historyFrom(plans: readonly Plan[]): History {
	const history: LanguageModelV4Message[] = [];
	let ids = 0;
	let owed: Part[] = [];
	for (const { asks, file, replies } of plans) {
		const picture = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } } as const;
		history.push({ role: "user", content: [{ type: "text", text: asks }, ...(file ? [picture] : [])] });
		for (const { thinks, says, calls, adds } of replies) {
			const content: Part[] = [...(thinks ? [{ type: "reasoning", text: "hm" } as const] : []), ...owed];
			owed = [];
			if (says !== "") content.push({ type: "text", text: says });
			const results: Extract<LanguageModelV4Message, { role: "tool" }>["content"] = [];
			for (const { made, says: value, toolName: named } of calls) {
				const toolCallId = `c${ids++}`;
				// only a provider has tools with such names
				const toolName = made === "us" ? "find" : named;
				content.push({
					type: "tool-call",
					toolCallId,
					toolName,
					input: { value },
					...(made !== "us" && { providerExecuted: true }),
				});
				const result = { type: "tool-result", toolCallId, toolName, output: { type: "text", value } } as const;
				if (made === "us") results.push(result);
				else if (made === "at once") content.push(result);
				else if (made === "later") owed.push(result);
			}
			if (adds !== "") content.push({ type: "text", text: adds });
			if (content.length > 0) history.push({ role: "assistant", content });
			if (results.length > 0) history.push({ role: "tool", content: results });
		}
		if (history.at(-1)?.role === "user") history.push({ role: "assistant", content: [{ type: "text", text: "Yes." }] });
	}
	return history;
}

const SAFE = /^[A-Za-z0-9_-]{1,64}$/;

/** What a history says that no model accepts, and what a robot's never says; none where all is well. */
export function faultsOf(history: History): readonly string[] {
	const faults: string[] = history.length > 0 && history[0]?.role !== "user" ? ["begins without a user"] : [];
	const ours = new Set<string>();
	const known = new Set<string>();
	for (const { role, content } of history) {
		if (content.length === 0) faults.push("an empty message");
		if (role === "system") faults.push("a system message");
		if (role !== "tool" && ours.size > 0) faults.push("a call without its result");
		for (const part of typeof content === "string" ? [] : content) {
			if (part.type === "tool-call") {
				if (known.has(part.toolCallId)) faults.push("two calls with one id");
				known.add(part.toolCallId);
				if (!part.providerExecuted) ours.add(part.toolCallId);
				if (!part.providerExecuted && !SAFE.test(part.toolName)) faults.push("a name that providers refuse");
				if (!SAFE.test(part.toolCallId)) faults.push("an id that providers refuse");
			}
			if (part.type === "tool-result" && !known.has(part.toolCallId)) faults.push("a result without its call");
			if (part.type === "tool-result" && role === "tool" && !ours.delete(part.toolCallId)) faults.push("a result that answers nothing");
			if (part.type === "text" && part.text.trim() === "") faults.push("a blank text");
		}
	}
	if (ours.size > 0) faults.push("a call without its result");
	if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(history))) faults.push("half a character");
	return faults;
}

/** A turn of text alone. */
export const talk = (asks: string, answers: string): LanguageModelV4Message[] => [
	{ role: "user", content: [{ type: "text", text: asks }] },
	{ role: "assistant", content: [{ type: "text", text: answers }] },
];

/** A turn with one call. */
export const work = (asks: string, id: string, gave: string, answers: string): LanguageModelV4Message[] => [
	{ role: "user", content: [{ type: "text", text: asks }] },
	{ role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: "find", input: { id } }] },
	{ role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName: "find", output: { type: "text", value: gave } }] },
	{ role: "assistant", content: [{ type: "text", text: answers }] },
];

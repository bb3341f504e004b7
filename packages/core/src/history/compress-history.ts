import { cosine, meanDirection, type TermVector, termVector } from "../text/term-vector.js";
import { type Compression, type CompressionOptions, resolveCompression } from "./compression-options.js";
import type { History } from "./history.js";
import { messagesOf } from "./messages-of.js";
import { summaryOf } from "./summary-of.js";
import { type Turn, turnsOf } from "./turns.js";

/** What is shorter says too little to be compared, and costs next to nothing. */
const MIN_CHARACTERS = 20;

/**
 * A shorter history: the recent turns as they are, of the older ones those that have to do with them. An older turn is compared, by its words,
 * with what was said in the recent ones together; it stays, gives way to its summary, or is left out. The history itself is returned where
 * nothing is left out, and where the recent turns say too little to be compared with.
 *
 * It is turns that are weighed, not single messages: an answer without its question misleads, a question without its answer is answered once more,
 * and results without their calls are refused by every provider. What counts is what user and model said; what tools gave goes with it, unweighed:
 * it is long, and seldom in the words of the conversation.
 *
 * Summaries are made one after the other, oldest first. Rejects with ConfigurationError for options that cannot be meant, with what `summarize` throws,
 * and with the reason of an aborted signal.
 */
export async function compressHistory(history: History, options: CompressionOptions = {}): Promise<History> {
	const compression = resolveCompression(options);
	compression.signal?.throwIfAborted();
	const turns = turnsOf(history);
	const older = turns.slice(0, -compression.recentTurns);
	const recent = turns.slice(-compression.recentTurns);
	const about = meanDirection(recent.map(said).filter(isComparable).map(termVector));
	if (older.length === 0 || about.size === 0) return history;

	const verdicts = older.map((turn) => ({ turn, verdict: verdictOn(turn, about, compression) }));
	if (verdicts.every(({ verdict }) => verdict === "keep")) return history;
	const kept: Turn[] = [];
	for (const { turn, verdict } of verdicts) {
		if (verdict === "keep") kept.push(turn);
		else if (verdict === "summarize") kept.push(await summaryOf(turn, compression));
	}
	return [...kept, ...recent].flat();
}

type Verdict = "keep" | "summarize" | "drop";

function verdictOn(turn: Turn, about: TermVector, { keepThreshold, dropThreshold }: Compression): Verdict {
	const text = said(turn);
	if (!isComparable(text) && !turn.some(({ role }) => role === "tool")) return "keep";
	const score = cosine(termVector(text), about);
	if (score >= keepThreshold) return "keep";
	return score < dropThreshold ? "drop" : "summarize";
}

const said = (turn: Turn): string =>
	messagesOf(turn)
		.flatMap((message) => (message.type === "text" ? [message.content] : []))
		.join("\n");

const isComparable = (text: string): boolean => text.trim().length >= MIN_CHARACTERS;

import { type Compression, type CompressionOptions, resolveCompression } from "./compression-options.js";
import type { History } from "./history.js";
import { fitting, type RatedTurn, rateTurns } from "./rated-turns.js";
import { summaryOf } from "./summary-of.js";
import { estimateTokens } from "./tokens.js";
import { turnsOf } from "./turns.js";

/**
 * A shorter history: the recent turns as they are, of the older ones those that have to do with them. An older turn is compared, by its words,
 * with what was said in the recent ones together; it stays, gives way to its summary, or is left out. The history itself is returned where
 * nothing is left out, and, without `targetTokens`, where the recent turns say too little to be compared with.
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
	const { recentTurns, targetTokens, signal } = compression;
	signal?.throwIfAborted();
	const turns = turnsOf(history);
	const recent = turns.slice(-recentTurns);
	const room = targetTokens - estimateTokens(recent.flat());
	const older = rateTurns(turns.slice(0, -recentTurns), recent, compression);
	const kept = fitting(
		older.filter(({ verdict }) => verdict === "keep"),
		room,
	);
	if (kept.size === older.length) return history;

	const shorter: RatedTurn[] = [];
	for (const rated of older) {
		if (kept.has(rated)) shorter.push(rated);
		else if (rated.verdict !== "drop") shorter.push(await summarized(rated, compression));
	}
	return [...[...fitting(shorter, room)].map(({ turn }) => turn), ...recent].flat();
}

async function summarized(rated: RatedTurn, compression: Compression): Promise<RatedTurn> {
	const turn = await summaryOf(rated.turn, compression);
	return { ...rated, turn, tokens: estimateTokens(turn) };
}

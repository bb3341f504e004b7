import { cosine, meanDirection, termVector } from "../text/term-vector.js";
import type { Compression } from "./compression-options.js";
import { messagesOf } from "./messages-of.js";
import { estimateTokens } from "./tokens.js";
import type { Turn } from "./turns.js";

/** What is shorter says too little to be compared, and costs next to nothing. */
const MIN_CHARACTERS = 20;

/** A turn, what it costs, and what becomes of it. */
export interface RatedTurn {
	readonly turn: Turn;
	readonly tokens: number;
	/** How much it has to do with the recent turns, 0 to 1. */
	readonly score: number;
	readonly verdict: "keep" | "summarize" | "drop";
}

/** Compares each older turn, by its words, with what was said in the recent ones together. Where these say too little, all are to be kept. */
export function rateTurns(older: readonly Turn[], recent: readonly Turn[], compression: Compression): readonly RatedTurn[] {
	const about = meanDirection(recent.map(said).filter(isComparable).map(termVector));
	return older.map((turn) => {
		const text = said(turn);
		const score = cosine(termVector(text), about);
		const isKept = about.size === 0 || (!isComparable(text) && !turn.some(({ role }) => role === "tool"));
		return { turn, tokens: estimateTokens(turn), score, verdict: isKept ? "keep" : verdictOn(score, compression) };
	});
}

/** Those that fit into so many tokens together, in their order: the least alike are left out first, of equals the oldest. */
export function fitting(turns: readonly RatedTurn[], tokens: number): ReadonlySet<RatedTurn> {
	const staying = new Set(turns);
	let needed = turns.reduce((total, turn) => total + turn.tokens, 0);
	for (const turn of [...turns].sort((one, other) => one.score - other.score)) {
		if (needed <= tokens) break;
		staying.delete(turn);
		needed -= turn.tokens;
	}
	return staying;
}

function verdictOn(score: number, { keepThreshold, dropThreshold }: Compression): RatedTurn["verdict"] {
	if (score >= keepThreshold) return "keep";
	return score < dropThreshold ? "drop" : "summarize";
}

const said = (turn: Turn): string =>
	messagesOf(turn)
		.flatMap((message) => (message.type === "text" ? [message.content] : []))
		.join("\n");

const isComparable = (text: string): boolean => text.trim().length >= MIN_CHARACTERS;

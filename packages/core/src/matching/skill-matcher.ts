import { setTimeout } from "node:timers/promises";
import type { EmbedOptions } from "../embedding/embedder.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames, checkSignal } from "../options/check-options.js";
import { untilAborted } from "../process/until-aborted.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import type { MatcherFallback } from "../stream/stream-event.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import { EmbedderAnswers } from "./embedder-answers.js";
import { checkMatcherOptions, type ResolvedMatcherOptions, type SkillMatcherOptions } from "./matcher-options.js";
import type { SkillMatch, SkillMatches } from "./skill-match.js";
import { seenByEmbedders } from "./skill-texts.js";

/**
 * Finds the skills that fit a message by the similarity of their vectors. The skills' are made once, when the first message needs them. Where the
 * embedder fails or is slow another one answers.
 */
export class SkillMatcher {
	readonly skills: readonly AgentSkill[];
	readonly #options: ResolvedMatcherOptions;
	readonly #chosen: EmbedderAnswers;
	readonly #fallback: EmbedderAnswers | undefined;
	/** Whether a message waited for the skills' vectors in vain: the next ones do not wait. */
	#isLate = false;

	/** Throws ConfigurationError for options that are unknown or cannot be. */
	constructor(options: SkillMatcherOptions) {
		const resolved = checkMatcherOptions(options);
		this.skills = resolved.skills;
		this.#options = resolved;
		const { embedder, fallback, threshold } = resolved;
		const rules = { skills: [...new Set(resolved.skills)], topK: resolved.topK, candidates: resolved.candidates };
		this.#chosen = new EmbedderAnswers({ ...rules, embedder, threshold, cache: resolved.cache });
		// a threshold is of the embedder it was chosen for
		this.#fallback = fallback && new EmbedderAnswers({ ...rules, embedder: fallback });
	}

	/** A matcher with the same options for other skills. What both have is not embedded again. */
	withSkills(skills: readonly AgentSkill[]): SkillMatcher {
		const { fallback = false, ...options } = this.#options;
		const matcher = new SkillMatcher({ ...options, fallback, skills });
		matcher.#chosen.takeOver(this.#chosen);
		if (this.#fallback) matcher.#fallback?.takeOver(this.#fallback);
		return matcher;
	}

	/**
	 * Ends the making of the skills' vectors, where it goes on: it does so after a message that did not wait for it, or was aborted, and keeps the process. What is
	 * there by then is kept; the next message goes on with it.
	 */
	stop(): void {
		this.#chosen.stop();
		this.#fallback?.stop();
	}

	/**
	 * Skills that are active, at most `topK`, then candidates, each best first, equal ones by name. None for a message without meaning; a score of 0 or less
	 * never matches. Rejects with the signal's reason, and where there is no fallback, or that fails, with what the embedder throws.
	 */
	async match(message: string, options: EmbedOptions = {}): Promise<readonly SkillMatch[]> {
		return (await this.matchWithReasons(message, options)).matches;
	}

	/** The same, with which embedder answered, and why it was not the chosen one. */
	async matchWithReasons(message: string, options: EmbedOptions = {}): Promise<SkillMatches> {
		const text = checkedText(message, options);
		const { signal } = options;
		signal?.throwIfAborted();
		if (this.skills.length === 0 || text === "") return Object.freeze({ matches: Object.freeze([]), embedder: this.#options.embedder.id });
		if (this.#fallback === undefined) return untilAborted(this.#chosen.answer(text, signal), signal);
		const outcome = await untilAborted(this.#chosenInTime(text, signal), signal);
		if ("matches" in outcome) return outcome;
		const answer = await untilAborted(this.#fallback.answer(text, signal), signal);
		return Object.freeze({ ...answer, fallback: Object.freeze(outcome) });
	}

	/** What the chosen embedder says, or why it does not. What comes later is kept for the next message. */
	async #chosenInTime(text: string, signal: AbortSignal | undefined): Promise<SkillMatches | MatcherFallback> {
		const { id } = this.#options.embedder;
		const preparing = (): MatcherFallback => ({ embedder: id, reason: "preparing", message: `${id} has not read all skills yet` });
		const prepared = this.#chosen.prepare().finally(() => {
			this.#isLate = false;
		});
		prepared.catch(() => {});
		if (this.#isLate) return preparing();
		const answered = this.#chosen.answer(text, signal).catch((error: unknown): MatcherFallback => {
			const message = messageOf(error).split("\n")[0] ?? "";
			return { embedder: id, reason: "failed", message: `${id} failed: ${message}` };
		});
		const { timeoutMs } = this.#options;
		const timer = new AbortController();
		const tooLate = setTimeout(timeoutMs, undefined, { signal: timer.signal }).then((): MatcherFallback => {
			if (this.#chosen.isReady) return { embedder: id, reason: "slow", message: `${id} took longer than ${timeoutMs} ms` };
			this.#isLate = true;
			return preparing();
		});
		tooLate.catch(() => {});
		try {
			return await untilAborted(Promise.race([answered, tooLate]), signal);
		} finally {
			timer.abort();
		}
	}
}

function checkedText(message: string, options: EmbedOptions): string {
	const what = "matcher.match()";
	if (typeof message !== "string") throw new ConfigurationError(`${what} takes a message of text, got ${describeValue(message)}.`);
	checkNames(what, options, ["signal"]);
	checkSignal(what, options.signal);
	return seenByEmbedders(message).trim();
}

import type { Question } from "./question.js";

/** What confinement says to one question. Plain data. */
export interface Answer {
	/** The question as it was asked. */
	readonly question: string;
	readonly allowed: boolean;
	/** What decides: a rule of the profile as it stands there; the mount, namespace or filter; or that nothing confines. */
	readonly rule: string;
	/** Why there is such a rule, or what it means here. */
	readonly why?: string;
	/** Where the path really leads for the script, when the question is about one. */
	readonly path?: string;
}

export type Verdict = Omit<Answer, "question">;

/** Answers questions for one grant and one way of confining. */
export type Answerer = (question: Question) => Verdict;

export const allowed = (rule: string, more: Partial<Verdict> = {}): Verdict => ({ allowed: true, rule, ...more });
export const denied = (rule: string, more: Partial<Verdict> = {}): Verdict => ({ allowed: false, rule, ...more });

/** The reasons there are, one after the other. */
export function because(...reasons: readonly (string | undefined)[]): Pick<Verdict, "why"> {
	const why = reasons.filter((reason) => reason !== undefined && reason !== "").join("; ");
	return why === "" ? {} : { why };
}

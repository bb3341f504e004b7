import { shownLine, shownText } from "./shown-text.js";

/** A question for a person. Its texts are a model's, without what a terminal would obey. */
export interface Question {
	/** Who asks. Absent where the tool is called without a robot. */
	readonly robotName?: string;
	/** May have several lines. */
	readonly text: string;
	/** One line each. Empty: any text is an answer. */
	readonly choices: readonly string[];
	/** What an empty answer means, and what is taken where nobody answers. One of the choices where there are any. */
	readonly default?: string;
	/** What was wrong with the answer before: the question is asked again. */
	readonly problem?: string;
}

/** A question as a model asks it. */
export interface QuestionInput {
	readonly question: string;
	readonly choices?: readonly string[];
	readonly default?: string;
}

const MAX_QUESTION_CHARACTERS = 4_000;
const MAX_LINE_CHARACTERS = 200;

/** Throws for what no person could answer; the message is for the model. */
export function questionOf(input: QuestionInput, robotName: string | undefined): Question {
	const text = shownText(input.question, MAX_QUESTION_CHARACTERS);
	if (text === "") throw new Error("the question is empty: say what you want to know");
	const choices = (input.choices ?? []).map((choice) => shownLine(choice, MAX_LINE_CHARACTERS));
	if (choices.includes("")) throw new Error("one of the choices is empty: each needs a text");
	const preset = shownLine(input.default ?? "", MAX_LINE_CHARACTERS);
	const chosen = choices.length === 0 ? preset : choiceNamed(preset, choices);
	if (chosen === undefined && preset !== "") {
		throw new Error(`the default ${JSON.stringify(preset)} is none of the choices: ${listed(choices)}`);
	}
	return {
		text,
		choices,
		...(robotName !== undefined && { robotName: shownLine(robotName, MAX_LINE_CHARACTERS) }),
		...(chosen && { default: chosen }),
	};
}

/** What a typed line means: an answer, or what is wrong with it. */
export function answerTo(
	{ choices, default: preset }: Question,
	typed: string,
): { readonly answer: string } | { readonly problem: string } {
	if (typed === "" && preset !== undefined) return { answer: preset };
	if (choices.length === 0) return { answer: typed };
	const chosen = (areNumbered(choices) ? choices[placeOf(typed)] : undefined) ?? choiceNamed(typed, choices);
	if (chosen !== undefined) return { answer: chosen };
	return { problem: typed === "" ? "Please choose." : `${JSON.stringify(shownLine(typed, 40))} is none of the choices.` };
}

/** Whether choices can be told by their numbers: not where one of them is a number itself. */
export const areNumbered = (choices: readonly string[]): boolean => !choices.some((choice) => /^\d+$/.test(choice));

export const listed = (choices: readonly string[]): string => choices.map((choice) => JSON.stringify(choice)).join(", ");

const placeOf = (typed: string): number => (/^\d{1,9}$/.test(typed) ? Number(typed) - 1 : -1);

function choiceNamed(text: string, choices: readonly string[]): string | undefined {
	return choices.find((choice) => choice === text) ?? choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
}

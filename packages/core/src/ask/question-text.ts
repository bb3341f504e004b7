import { areNumbered, type Question } from "./question.js";

/** A question as it stands on a terminal, above where the answer is typed. No line of a model's begins where a robot's name stands. */
export function questionText(question: Question): string {
	const { robotName = "Robot", text, choices, problem } = question;
	if (problem !== undefined) return `${problem}\n`;
	const mark = (index: number): string => (areNumbered(choices) ? `${index + 1})` : "-");
	const lines = [`[${robotName}] ${text.replaceAll("\n", "\n  ")}`, ...choices.map((choice, index) => `  ${mark(index)} ${choice}`)];
	return `${lines.join("\n")}\n`;
}

/** What stands before the answer. */
export function promptOf({ choices, default: preset }: Question): string {
	const range = choices.length > 0 && areNumbered(choices) ? ` (1-${choices.length})` : "";
	return `Answer${range}${preset === undefined ? "" : ` [${preset}]`}: `;
}

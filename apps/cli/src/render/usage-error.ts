import { printable } from "./printable.js";

/**
 * commander's words for a wrong call, ended by the next step where it names none.
 *
 * @param greedy An option of the call that takes every word behind it, and so perhaps the one that is missing.
 */
export function usageErrorText(text: string, greedy?: string): string {
	const said = printable(text.replace(/^error: /, "").trim());
	const option = /unknown option '(.*)'/.exec(said)?.[1];
	if (said.includes("Did you mean")) return said;
	const missing = /missing required argument '(.*)'/.exec(said)?.[1];
	if (missing !== undefined && greedy !== undefined)
		return `${said}. ${greedy} takes every word behind it: write the ${missing} before ${greedy}, or behind --`;
	if (option !== undefined) return `${said}. --help lists the options; arguments for a script go behind --`;
	return /missing required argument|too many arguments|unknown command/.test(said) ? `${said}. --help shows the usage` : said;
}

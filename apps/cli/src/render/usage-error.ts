import { printable } from "./printable.js";

/** commander's words for a wrong call, ended by the next step where it names none. */
export function usageErrorText(text: string): string {
	const said = printable(text.replace(/^error: /, "").trim());
	const option = /unknown option '(.*)'/.exec(said)?.[1];
	if (said.includes("Did you mean")) return said;
	if (option !== undefined) return `${said}. --help lists the options; arguments for a script go behind --`;
	return /missing required argument|too many arguments|unknown command/.test(said) ? `${said}. --help shows the usage` : said;
}

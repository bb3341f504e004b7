import { styleText } from "node:util";

/** How text is set off. The plain style leaves it as it is. */
export interface Style {
	heading(text: string): string;
	faint(text: string): string;
	good(text: string): string;
	bad(text: string): string;
	warning(text: string): string;
	name(text: string): string;
}

const paint =
	(format: Parameters<typeof styleText>[0]) =>
	(text: string): string =>
		text === "" ? "" : styleText(format, text, { validateStream: false });

const plain = (text: string): string => text;

export const PLAIN: Style = { heading: plain, faint: plain, good: plain, bad: plain, warning: plain, name: plain };

export const COLOURED: Style = {
	heading: paint("bold"),
	faint: paint("dim"),
	good: paint("green"),
	bad: paint("red"),
	warning: paint("yellow"),
	name: paint("cyan"),
};

/** Colours for a terminal that wants them: `NO_COLOR` and `TERM=dumb` turn them off, `FORCE_COLOR` on where there is no terminal. */
export function styleFor(stream: { readonly isTTY?: boolean }, environment: Readonly<Record<string, string | undefined>>): Style {
	if (environment.NO_COLOR) return PLAIN;
	const { FORCE_COLOR: forced } = environment;
	if (forced !== undefined) return forced === "0" || forced === "false" ? PLAIN : COLOURED;
	return stream.isTTY === true && environment.TERM !== "dumb" ? COLOURED : PLAIN;
}

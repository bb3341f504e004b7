import { replaceUnseen } from "@robot-lab/core";

/** One JSON document as people can read it, too. */
export const jsonDocument = (value: unknown): string => `${harmless(JSON.stringify(value, null, 2))}\n`;

/** One line of JSON lines. */
export const jsonLine = (value: unknown): string => `${harmless(JSON.stringify(value))}\n`;

/**
 * The same value, without a character that a terminal obeys, that nobody sees or that some readers take for the end of a line. They stand in strings only,
 * and are spelt as JSON spells them.
 */
const harmless = (json: string): string =>
	replaceUnseen(json, (character) => {
		const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
		return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
	});

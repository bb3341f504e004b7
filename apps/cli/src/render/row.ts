import type { Style } from "./style.js";

const LABEL_WIDTH = 10;

/** A line with a label in front; without one it goes on with the line above. */
export function row(label: string, text: string, style: Style): string {
	return `${style.heading(label.padEnd(LABEL_WIDTH))}${text}\n`;
}

import { columnsOf, fitted } from "./fitted.js";
import type { Style } from "./style.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

/** When and where lines that change are drawn. */
export interface LiveView {
	/** A clock that does not go back; the same as the events were told with. */
	readonly nowMs: number;
	/** How many times the lines were drawn before. */
	readonly frame: number;
	readonly columns: number;
	readonly style: Style;
}

/** A piece of a line, and how it is set off. */
export type Piece = readonly [text: string, paint: (text: string) => string];

export const plain = (text: string): string => text;

export const spinner = (frame: number, style: Style): Piece => [FRAMES[frame % FRAMES.length] ?? "", style.name];

/** In tenths of a second from the beginning: milliseconds would only flicker. */
export const elapsed = (milliseconds: number, style: Style): Piece => [` ${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`, style.faint];

/** Pieces one behind the other, as far as there is room. */
export function inColumns(pieces: readonly Piece[], columns: number): string {
	let room = columns;
	let line = "";
	for (const [text, paint] of pieces) {
		const piece = fitted(text, room);
		line += paint(piece);
		room -= columnsOf(piece);
		if (piece !== text) break;
	}
	return line;
}

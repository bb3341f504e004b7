import type { WriteStream } from "node:tty";
import { fittedEnd, rowsOf } from "./render/fitted.js";

/**
 * The lowest lines of a terminal, which are drawn anew again and again, and above them what stays. The cursor stands below them and is
 * never hidden, so that nothing is to be put right when the process ends, however it ends.
 */
export class LiveRegion {
	readonly #screen: WriteStream;
	#lines: readonly string[] = [];
	/** What is to be seen of them. */
	#drawn: readonly string[] = [];
	/** The last line of what stays, while it has no end and other lines stand below. */
	#open = "";
	#isMidLine = false;
	/** What is to be written once nothing else has the screen. */
	#waiting: (() => void)[] = [];
	/** What is to be drawn then. */
	#later: readonly string[] = [];
	#holds = 0;

	constructor(screen: WriteStream) {
		this.#screen = screen;
	}

	/** How many columns a line has. */
	get columns(): number {
		return this.#screen.columns || 80;
	}

	/** How many lines can be drawn: rows that have left the screen upwards could not be drawn anew. */
	get rows(): number {
		return Math.max(1, (this.#screen.rows || 24) - 1);
	}

	/** Draws lines, none of them wider than the screen, in the place of those before. None: what stays goes on where it ended. */
	show(lines: readonly string[]): void {
		if (this.#holds > 0) this.#later = lines;
		else if (lines.length > 0 || this.#lines.length > 0) this.#atOnce(() => this.#redraw("", lines));
	}

	/** Writes text that stays, above the lines. */
	print(text: string): void {
		if (text === "") return;
		if (this.#holds > 0) {
			this.#waiting.push(() => this.print(text));
			return;
		}
		if (this.#lines.length > 0) {
			this.#atOnce(() => this.#redraw(text, this.#lines));
			return;
		}
		this.#screen.write(text);
		this.#isMidLine = !text.endsWith("\n");
	}

	/** Lets something else write whole lines on the same screen. */
	aside(write: () => void): void {
		if (this.#holds > 0) {
			this.#waiting.push(() => this.aside(write));
			return;
		}
		const lines = this.#lines;
		if (lines.length > 0) this.#atOnce(() => this.#erase());
		write();
		if (lines.length > 0) this.#atOnce(() => this.#redraw("", lines));
		else this.#isMidLine = false;
	}

	/** Leaves the screen to something else, a question say, until that is over: then everything is written that was to be. */
	async held<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.#holds === 0) {
			const lines = this.#lines;
			this.show([]);
			if (this.#isMidLine) this.#screen.write("\n");
			this.#isMidLine = false;
			this.#later = lines;
		}
		this.#holds += 1;
		try {
			return await work();
		} finally {
			this.#holds -= 1;
			if (this.#holds === 0) this.#resume();
		}
	}

	#resume(): void {
		for (const write of this.#waiting.splice(0)) write();
		this.show(this.#later);
	}

	#redraw(text: string, lines: readonly string[]): void {
		this.#erase();
		if (this.#isMidLine) this.#screen.write("\n");
		const staying = `${this.#open}${text}`;
		const end = lines.length === 0 ? staying.length : staying.lastIndexOf("\n") + 1;
		this.#screen.write(staying.slice(0, end));
		this.#open = staying.slice(end);
		this.#isMidLine = lines.length === 0 && staying !== "" && !staying.endsWith("\n");
		this.#lines = lines;
		this.#drawn = this.#visible();
		this.#screen.write(this.#drawn.map((line) => `${line}\n`).join(""));
	}

	/** A line that became wider than the screen stands in several rows by now. */
	#erase(): void {
		const rows = this.#drawn.reduce((sum, line) => sum + rowsOf(line, this.columns), 0);
		this.#drawn = [];
		if (rows === 0) return;
		this.#screen.moveCursor(0, -rows);
		this.#screen.cursorTo(0);
		this.#screen.clearScreenDown();
	}

	#visible(): readonly string[] {
		const all = this.#open === "" || this.#lines.length === 0 ? this.#lines : [fittedEnd(this.#open, this.columns - 1), ...this.#lines];
		const room = this.rows;
		return all.length <= room ? all : [...all.slice(0, room - 1), `… ${all.length - room + 1} more`];
	}

	/** One write, so that nobody sees the lines gone. */
	#atOnce(write: () => void): void {
		this.#screen.cork();
		try {
			write();
		} finally {
			this.#screen.uncork();
		}
	}
}

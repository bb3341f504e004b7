import xterm from "@xterm/headless";

/** What a person sees of a terminal: an emulator that is fed what a program wrote. */
export class Screen {
	readonly #terminal: InstanceType<typeof xterm.Terminal>;

	/** @param convertEol Whether a line feed is also a carriage return, which is otherwise the pseudo-terminal's work. */
	constructor(columns: number, rows: number, convertEol = false) {
		this.#terminal = new xterm.Terminal({
			cols: columns,
			rows,
			convertEol,
			scrollback: 10_000,
			reflowCursorLine: true,
			allowProposedApi: true,
		});
	}

	write(data: string): void {
		this.#terminal.write(data);
	}

	/** Lines that stood there are broken anew, as most terminals do. */
	async resize(columns: number, rows: number): Promise<void> {
		await this.#settled();
		this.#terminal.resize(columns, rows);
	}

	/** Everything that stands there, what scrolled away included, as lines without the breaks that only the width makes and without blanks at their ends. */
	async lines(): Promise<string[]> {
		await this.#settled();
		const { active } = this.#terminal.buffer;
		const lines: string[] = [];
		for (let y = 0; y < active.length; y++) {
			const line = active.getLine(y);
			if (line === undefined) continue;
			const text = line.translateToString(!active.getLine(y + 1)?.isWrapped);
			if (line.isWrapped) lines.push(`${lines.pop() ?? ""}${text}`);
			else lines.push(text);
		}
		const seen = lines.map((line) => line.trimEnd());
		return seen.slice(0, seen.findLastIndex((line) => line !== "") + 1);
	}

	#settled(): Promise<void> {
		return new Promise((resolve) => this.#terminal.write("", resolve));
	}
}

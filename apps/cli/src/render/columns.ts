/** Rows as text columns two blanks apart, each as wide as its widest cell; the last one is not padded. */
export function columns(rows: readonly (readonly string[])[], indent = "  "): string[] {
	const widths: number[] = [];
	for (const row of rows) {
		for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
	}
	return rows.map((row) => `${indent}${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ")}`.trimEnd());
}

/** Text broken at blanks into lines of at most `width` characters. */
export function wrapped(text: string, width: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(/\s+/)) {
		if (line !== "" && line.length + 1 + word.length > width) {
			lines.push(line);
			line = word;
		} else line = line === "" ? word : `${line} ${word}`;
	}
	return line === "" ? lines : [...lines, line];
}

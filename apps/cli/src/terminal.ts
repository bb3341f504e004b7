import { type Style, styleFor } from "./render/style.js";

/** Where a command writes. */
export interface Terminal {
	/** What the command is for, on standard output. */
	out(text: string): void;
	/** Warnings, progress and errors, on standard error. */
	err(text: string): void;
	readonly outStyle: Style;
	readonly errStyle: Style;
	/** Whether a person looks at standard output and standard error, on a terminal that obeys what it is shown. */
	readonly isScreen: { readonly stdout: boolean; readonly stderr: boolean };
	/** Columns of standard output, or 100 where it is no terminal. */
	readonly width: number;
}

export function processTerminal(): Terminal {
	const { stdout, stderr, env } = process;
	return {
		out: (text) => void stdout.write(text),
		err: (text) => void stderr.write(text),
		outStyle: styleFor(stdout, env),
		errStyle: styleFor(stderr, env),
		isScreen: { stdout: stdout.isTTY === true, stderr: stderr.isTTY === true },
		width: stdout.columns ?? 100,
	};
}

import { LiveRegion } from "./live-region.js";
import { type Style, styleFor } from "./render/style.js";

/** Where a command writes. */
export interface Terminal {
	/** What the command is for, on standard output. */
	out(text: string): void;
	/** Warnings, progress and errors, on standard error: whole lines. */
	err(text: string): void;
	readonly outStyle: Style;
	readonly errStyle: Style;
	/** Whether a person looks at standard output and standard error, on a terminal that obeys what it is shown. */
	readonly isScreen: { readonly stdout: boolean; readonly stderr: boolean };
	/** Lines on standard output that are drawn anew. Absent where nobody looks, where a terminal only prints (`TERM=dumb`) and on CI. */
	readonly live?: LiveRegion;
	/** Columns of standard output, or 100 where it is no terminal. */
	readonly width: number;
}

export function processTerminal(): Terminal {
	const { stdout, stderr, env } = process;
	const screen = { outStyle: styleFor(stdout, env), errStyle: styleFor(stderr, env), width: stdout.columns || 100 };
	const isScreen = { stdout: stdout.isTTY === true, stderr: stderr.isTTY === true };
	if (!isScreen.stdout || env.TERM === "dumb" || isContinuousIntegration(env.CI)) {
		return { ...screen, isScreen, out: (text) => void stdout.write(text), err: (text) => void stderr.write(text) };
	}
	const live = new LiveRegion(stdout);
	const write = (text: string): void => void stderr.write(text);
	const err = isScreen.stderr ? (text: string): void => live.aside(() => write(text)) : write;
	return { ...screen, isScreen, live, err, out: (text) => live.print(text) };
}

const isContinuousIntegration = (CI: string | undefined): boolean => CI !== undefined && CI !== "" && CI !== "0" && CI !== "false";

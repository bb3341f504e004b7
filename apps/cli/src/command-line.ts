import type { Context } from "./context.js";
import { EXIT, errorText, exitCodeOf } from "./exit.js";
import { type Interrupt, listenForInterrupts } from "./interrupt.js";
import { buildProgram } from "./program.js";
import { printable } from "./render/printable.js";
import { processTerminal, type Terminal } from "./terminal.js";

/** Here --no-sandbox is the only way to it, and whoever wrote that knows. */
const NOT_ENABLED = "ROBOT_LAB_SANDBOX_NOT_ENABLED";

/** Runs one command to its end and leaves its exit code in `process.exitCode`. Never throws. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
	const terminal = processTerminal();
	const interrupt = listenForInterrupts((error) => tell(terminal, `Standard output cannot be written: ${errorText(error)}`));
	let exitCode: number = EXIT.done;
	const expectedWarnings = new Set([NOT_ENABLED]);
	const context: Context = {
		terminal,
		interrupt,
		expectWarning: (code) => void expectedWarnings.add(code),
		exitWith: (code) => {
			exitCode = code;
		},
	};
	reportCrashes(terminal);
	reportWarnings(terminal, expectedWarnings);
	try {
		await buildProgram(context, args).parseAsync(args, { from: "user" });
	} catch (error) {
		exitCode = exitCodeOf(error);
		if (interrupt.exitCode === undefined) tell(terminal, errorText(error));
	}
	process.exitCode = interrupt.exitCode ?? exitCode;
	sayInterrupted(terminal, interrupt);
}

function sayInterrupted(terminal: Terminal, interrupt: Interrupt): void {
	if (interrupt.exitCode !== undefined && interrupt.isRead) terminal.err(`\n${terminal.errStyle.warning("Interrupted.")}\n`);
}

/** An error nobody expected ends the command with one line, as every other does. */
function reportCrashes(terminal: Terminal): void {
	const crash = (error: unknown): void => {
		terminal.live?.show([]);
		tell(terminal, errorText(error));
		process.exit(EXIT.failed);
	};
	process.on("uncaughtException", crash);
	process.on("unhandledRejection", crash);
}

/** A process warning is one line, without Node's own words around it. */
function reportWarnings(terminal: Terminal, expected: ReadonlySet<string>): void {
	process.removeAllListeners("warning");
	process.on("warning", (warning) => {
		if (expected.has(String((warning as NodeJS.ErrnoException).code))) return;
		terminal.err(`${terminal.errStyle.warning("warning:")} ${printable(warning.message)}\n`);
	});
}

function tell(terminal: Terminal, text: string): void {
	if (text !== "") terminal.err(`${terminal.errStyle.bad("robot-lab:")} ${text}\n`);
}

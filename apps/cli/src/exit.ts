import { ConfigurationError, DependencyError } from "@robot-lab/core";
import { CommanderError } from "commander";
import { printable } from "./render/printable.js";

/** The exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Somebody asked for something that cannot be: a wrong argument, an unknown name, a missing folder. */
export class UsageError extends Error {}

/** What was asked for was right and could not be done. */
export class WorkError extends Error {}

/** The exit code that an error ends the command with. Wrong names and values in the configuration are wrong usage; a missing package is not. */
export function exitCodeOf(error: unknown): number {
	if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
	if (error instanceof UsageError) return EXIT.usage;
	if (DependencyError.isInstance(error)) return EXIT.failed;
	return ConfigurationError.isInstance(error) ? EXIT.usage : EXIT.failed;
}

/** What a person reads about an error; nothing when it was said already. Never a stack trace. */
export function errorText(error: unknown): string {
	if (error instanceof CommanderError) return "";
	const message = error instanceof Error ? error.message : String(error);
	return printable(message.trim() || "something failed without saying why");
}

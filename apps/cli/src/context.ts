import type { Interrupt } from "./interrupt.js";
import type { Terminal } from "./terminal.js";

/** What every command gets besides its own arguments. */
export interface Context {
	readonly terminal: Terminal;
	readonly interrupt: Interrupt;
	/** Sets the exit code for a command that ends without an error. */
	exitWith(code: number): void;
	/** Keeps a process warning of this code quiet, because the command says the same in its own words. */
	expectWarning(code: string): void;
}

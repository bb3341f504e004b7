import type { Strategy } from "./strategy.js";

/** Confines nothing: for bundles somebody audited, and where no confinement was asked for or none exists. */
export class Null implements Strategy {
	readonly name = "none";

	async wrap(command: readonly string[]): Promise<readonly string[]> {
		return command;
	}

	async cleanup(): Promise<void> {}
}

import type { ValidationMode } from "./validation-mode.js";

/** What a rule has to say about front matter, before it is known in which file. */
export interface Finding {
	readonly severity: "error" | "warning";
	readonly code: string;
	readonly message: string;
	/** The key it is about; none for one that is missing. */
	readonly key?: string;
	/** The key in the map below `key`. */
	readonly below?: string;
}

/** How much it weighs that a rule of the standard is broken by which a skill can be used all the same. */
export const weightOf = (mode: ValidationMode): Finding["severity"] => (mode === "strict" ? "error" : "warning");

import type { BodyToken } from "../template/compile-body.js";

/** What a text of a file can name. */
export const TEXT_NAMES = ["message", "results", "context"] as const;

/** A name in a text. */
export interface NamedPlace {
	/** Names parted by dots, from one of {@link TEXT_NAMES} on; another where it is none of these. */
	readonly path: string;
	/** Whether it may be a name of something in the context, which nobody knows before it is there. */
	readonly isOpen: boolean;
	/** Of the context: whether it must be there. In a section of the context nothing must: that is how a text does without. */
	readonly isNeeded: boolean;
}

/** Which names stand in a text besides those that stand everywhere: none, the tasks, or what a value of the context holds. */
type Scope = "texts" | "results" | "context";

/** Every name in a text, those in its sections as well. A message and a result are texts, and hold no names. */
export function namesInText(tokens: readonly BodyToken[], scope: Scope = "texts"): NamedPlace[] {
	return tokens.flatMap(([kind, name, , , inside]) => {
		if (kind === "text") return [];
		const path = scope === "results" && !isKnown(name) && name !== "." ? `results.${name}` : name;
		const isOpen = scope === "context" && !isKnown(name);
		const below = namesInText(inside ?? [], kind === "^" && !isOf("context", path) ? scope : scopeIn(path, scope));
		return name === "." ? below : [{ path, isOpen, isNeeded: inside === undefined && scope !== "context" }, ...below];
	});
}

function scopeIn(path: string, scope: Scope): Scope {
	if (scope === "context" || isOf("context", path)) return "context";
	return path === "results" ? "results" : scope;
}

const isOf = (name: string, path: string): boolean => path.split(".")[0] === name;

const isKnown = (path: string): boolean => TEXT_NAMES.some((name) => isOf(name, path));

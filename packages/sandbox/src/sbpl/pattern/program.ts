import type { ByteSet, PatternNode, Quantifier } from "./syntax.js";

/** One step of a matcher. Steps without a target lead to the one after them. */
export type Step =
	| { readonly kind: "byte"; readonly set: ByteSet }
	| { readonly kind: "start" }
	| { readonly kind: "end" }
	/** Leads to the next step and to `target`. */
	| { readonly kind: "split"; target: number }
	| { readonly kind: "jump"; target: number }
	| { readonly kind: "found" };

/** The steps of a pattern. There are at most three for each of its characters. */
export function stepsOf(node: PatternNode): readonly Step[] {
	const steps: Step[] = [];
	append(node, steps);
	steps.push({ kind: "found" });
	return steps;
}

function append(node: PatternNode, steps: Step[]): void {
	if (node.kind === "sequence") for (const part of node.parts) append(part, steps);
	else if (node.kind === "choice") appendChoice(node.options, steps);
	else if (node.kind === "repeat") appendRepeat(node.part, node.quantifier, steps);
	else steps.push(node);
}

function appendChoice(options: readonly PatternNode[], steps: Step[]): void {
	const exits: { target: number }[] = [];
	for (const option of options.slice(0, -1)) {
		const split = { kind: "split" as const, target: 0 };
		const exit = { kind: "jump" as const, target: 0 };
		steps.push(split);
		append(option, steps);
		steps.push(exit);
		exits.push(exit);
		split.target = steps.length;
	}
	for (const option of options.slice(-1)) append(option, steps);
	for (const exit of exits) exit.target = steps.length;
}

function appendRepeat(part: PatternNode, quantifier: Quantifier, steps: Step[]): void {
	const start = steps.length;
	if (quantifier === "+") {
		append(part, steps);
		steps.push({ kind: "split", target: start });
		return;
	}
	const skip = { kind: "split" as const, target: 0 };
	steps.push(skip);
	append(part, steps);
	if (quantifier === "*") steps.push({ kind: "jump", target: start });
	skip.target = steps.length;
}

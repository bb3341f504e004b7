import { checkHooks } from "../../src/hook/check-hooks.js";
import type { Hook } from "../../src/hook/hook.js";
import { HookChain } from "../../src/hook/hook-chain.js";
import type { HookSurroundings } from "../../src/hook/hook-context.js";
import type { ToolOutcome } from "../../src/tool/tool-outcome.js";

/** The chain of a robot that has these hooks. */
export function chainOf(hooks: readonly Hook[], surroundings: HookSurroundings = { robotName: "bob", runId: "run-1" }): HookChain {
	const chain = HookChain.of({ robot: checkHooks("hooks", hooks) }, surroundings);
	if (chain === undefined) throw new Error("no hooks");
	return chain;
}

export const outcome = (text: string): ToolOutcome => ({ text, isError: false });

export const CALL = { toolName: "add", toolCallId: "call-1", args: { a: 1 } };

/** What a promise was rejected with, whatever it is. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
	try {
		await promise;
	} catch (error) {
		return error;
	}
	throw new Error("it was not rejected");
}

import type { Hook } from "./hook.js";
import type { HookFamily } from "./hook-facts.js";

export type HookMethod = Exclude<keyof Hook, "namespace">;

/** The methods of a family. `on` is what is told at the very thing, inside the arounds. */
export type FamilyMethods = readonly [before: HookMethod, around: HookMethod, after: HookMethod, ...on: HookMethod[]];

export const METHODS_OF: Readonly<Record<HookFamily, FamilyMethods>> = {
	run: ["beforeRun", "aroundRun", "afterRun"],
	llmGeneration: ["beforeLlmGeneration", "aroundLlmGeneration", "afterLlmGeneration"],
	toolCall: ["beforeToolCall", "aroundToolCall", "afterToolCall"],
	networkRun: ["beforeNetworkRun", "aroundNetworkRun", "afterNetworkRun"],
	task: ["beforeTask", "aroundTask", "afterTask"],
	learn: ["beforeLearn", "aroundLearn", "afterLearn", "onLearn"],
	compaction: ["beforeCompaction", "aroundCompaction", "afterCompaction", "onCompaction"],
};

export const HOOK_METHODS: readonly HookMethod[] = [...Object.values(METHODS_OF).flat(), "onError"];

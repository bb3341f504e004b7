import type { FailedHookContext, FinishedHookContext, HookAnswer, HookContext, HookNext } from "./hook-context.js";

/**
 * What is called before, around and after what robots and networks do, and when it fails. Extend it and write the methods you need, or
 * give a plain object with a `namespace` and those methods. Every method may be async, and what it throws fails what it stands at.
 */
export class Hook {
	/** What the hook is called in messages. Default: the name of the class, as in `audit_log` for `AuditLog`. */
	static readonly namespace?: string;

	get namespace(): string {
		const type = this.constructor as typeof Hook;
		return type.namespace ?? snakeCase(type.name);
	}

	beforeRun?(context: HookContext<"run">): unknown;
	aroundRun?(context: HookContext<"run">, next: HookNext<"run">): HookAnswer<"run">;
	afterRun?(context: FinishedHookContext<"run">): unknown;

	beforeLlmGeneration?(context: HookContext<"llmGeneration">): unknown;
	aroundLlmGeneration?(context: HookContext<"llmGeneration">, next: HookNext<"llmGeneration">): HookAnswer<"llmGeneration">;
	afterLlmGeneration?(context: FinishedHookContext<"llmGeneration">): unknown;

	beforeToolCall?(context: HookContext<"toolCall">): unknown;
	aroundToolCall?(context: HookContext<"toolCall">, next: HookNext<"toolCall">): HookAnswer<"toolCall">;
	afterToolCall?(context: FinishedHookContext<"toolCall">): unknown;

	beforeNetworkRun?(context: HookContext<"networkRun">): unknown;
	aroundNetworkRun?(context: HookContext<"networkRun">, next: HookNext<"networkRun">): HookAnswer<"networkRun">;
	afterNetworkRun?(context: FinishedHookContext<"networkRun">): unknown;

	beforeTask?(context: HookContext<"task">): unknown;
	aroundTask?(context: HookContext<"task">, next: HookNext<"task">): HookAnswer<"task">;
	afterTask?(context: FinishedHookContext<"task">): unknown;

	beforeLearn?(context: HookContext<"learn">): unknown;
	aroundLearn?(context: HookContext<"learn">, next: HookNext<"learn">): HookAnswer<"learn">;
	afterLearn?(context: FinishedHookContext<"learn">): unknown;
	/** Told of what was really learned, inside every around: not where one of them answered in its place. */
	onLearn?(context: FinishedHookContext<"learn">): unknown;

	beforeCompaction?(context: HookContext<"compaction">): unknown;
	aroundCompaction?(context: HookContext<"compaction">, next: HookNext<"compaction">): HookAnswer<"compaction">;
	afterCompaction?(context: FinishedHookContext<"compaction">): unknown;
	/** Asked for a shorter history, inside every around: where one sets `context.compactedMessages`, the robot makes none itself. */
	onCompaction?(context: HookContext<"compaction">): unknown;

	/** Told of the failure of every family, once for each that it goes through. It changes nothing of it; what it throws is a process warning. */
	onError?(context: FailedHookContext): unknown;
}

const snakeCase = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_").toLowerCase();

import { describe, expectTypeOf, it } from "vitest";
import { Hook } from "../../src/hook/hook.js";
import type { FailedHookContext, FinishedHookContext, HookContext, HookNext } from "../../src/hook/hook-context.js";
import type { HookFamily } from "../../src/hook/hook-facts.js";
import { registerHook } from "../../src/hook/register-hook.js";
import type { RobotResult } from "../../src/message/robot-result.js";
import type { ToolOutcome } from "../../src/tool/tool-outcome.js";

describe("The types of hooks", () => {
	it("give a plain object's methods their contexts", () => {
		const hook: Hook = {
			namespace: "typed",
			beforeToolCall: (context) => {
				expectTypeOf(context.args).toEqualTypeOf<unknown>();
				// @ts-expect-error: there is none yet
				void context.result;
				// @ts-expect-error: it is what it is
				context.toolName = "other";
			},
			aroundRun: async (context, next) => {
				expectTypeOf(context.message).toEqualTypeOf<string>();
				const result = await next();
				expectTypeOf(result).toEqualTypeOf<RobotResult>();
				return result;
			},
			afterToolCall: (context) => {
				expectTypeOf(context.result).toEqualTypeOf<ToolOutcome>();
				// @ts-expect-error: too late
				context.args = {};
			},
		};
		expectTypeOf(hook).toExtend<Hook>();
	});

	it("tell the families of failures apart", () => {
		const hear = (context: FailedHookContext): void => {
			expectTypeOf(context.family).toEqualTypeOf<HookFamily>();
			expectTypeOf(context.error).toEqualTypeOf<unknown>();
			if (context.family === "toolCall") expectTypeOf(context.toolName).toEqualTypeOf<string>();
			// @ts-expect-error: a run has no tool
			else if (context.family === "run") void context.toolName;
		};
		expectTypeOf(hear).toBeFunction();
	});

	it("take classes that write some of the methods", () => {
		class Timing extends Hook {
			static override readonly namespace = "timing";
			override async aroundRun(_context: HookContext<"run">, next: HookNext<"run">): Promise<RobotResult> {
				return next();
			}
			override afterLlmGeneration({ result }: FinishedHookContext<"llmGeneration">): void {
				expectTypeOf(result.text).toEqualTypeOf<string>();
			}
		}
		expectTypeOf<Timing>().toExtend<Hook>();
	});

	it("refuse what is no hook", () => {
		const refused = (): void => {
			// @ts-expect-error: without a namespace
			registerHook({ beforeRun: () => {} });
			// @ts-expect-error: a method nobody calls
			registerHook({ namespace: "x", beforRun: () => {} });
			// @ts-expect-error: an around has to answer
			registerHook({ namespace: "x", aroundToolCall: () => {} });
			// @ts-expect-error: of the right kind
			registerHook({ namespace: "x", aroundToolCall: async () => "refused" });
		};
		expectTypeOf(refused).toBeFunction();
	});
});

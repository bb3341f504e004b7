import { resolve } from "node:path";
import { guardedListener } from "../errors/guarded-listener.js";
import { formatResult } from "../script/format-result.js";
import { inMovedBundle } from "../script/moved-bundle.js";
import { abortedResult, hasSucceeded, outcomeOf, refusedResult, tellEnding } from "../script/script-result.js";
import { resultText } from "../tool/result-text.js";
import type { Tool, ToolContext } from "../tool/tool.js";
import type { ToolOutcome } from "../tool/tool-outcome.js";
import { type ApprovableSkill, type ApprovalOptions, checkApprovalOptions } from "./approval-options.js";
import { approveScript } from "./approve-script.js";

/**
 * The same tools, each of which asks before it runs whether the skill's bundle is approved as it is at that moment. Where it is not, nothing runs, and
 * the model reads why (`not_approved`). What is started is what was looked at, where it really lies (`SKILL_DIR`), whatever a link leads to by then. Made anew for every run as well as once: what was answered is kept for each `approve`.
 *
 * Throws a ConfigurationError for options that are unknown or none.
 */
export function withApproval(tools: readonly Tool[], skill: ApprovableSkill, options: ApprovalOptions): readonly Tool[] {
	checkApprovalOptions("withApproval()", options);
	return tools.map((tool) => withQuestion(tool, skill, options));
}

function withQuestion(tool: Tool, skill: ApprovableSkill, options: ApprovalOptions): Tool {
	const call = async (input: unknown, context: ToolContext = {}): Promise<ToolOutcome> => {
		const { refusal, directory } = await approveScript(skill, { tool: tool.name, input }, options, context);
		if (refusal === undefined) return callOf(tool, input, inMovedBundle(context, { from: resolve(skill.path), to: directory }));
		const result = context.signal?.aborted ? abortedResult() : refusedResult(refusal.code, refusal.message);
		const { onLifecycle } = context;
		tellEnding(result, onLifecycle ? { onLifecycle: guardedListener(onLifecycle) } : {});
		return { text: formatResult(result), isError: !hasSucceeded(result), script: outcomeOf(result) };
	};
	return Object.freeze({ ...tool, call, execute: async (input: unknown, context?: ToolContext) => (await call(input, context)).text });
}

const callOf = async (tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> =>
	tool.call?.(input, context) ?? { text: resultText(await tool.execute(input, context), tool.maxResultBytes), isError: false };

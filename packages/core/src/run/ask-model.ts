import { amountsOf, estimateOf } from "../guard/pricing.js";
import { estimateTokens } from "../history/tokens.js";
import type { Reply } from "./reply.js";
import { requestReply } from "./request-reply.js";
import type { RunPorts, RunState } from "./run-state.js";
import { tokenUsage } from "./token-usage.js";

/**
 * One reply of the model, within the robot's budget: what it may cost is set aside before, and what it did cost is paid behind, or given back where
 * nothing came. Throws BudgetExceededError where nothing is left to set aside.
 */
export async function askModel({ prompt }: RunState, ports: RunPorts): Promise<Reply> {
	const { budget, pricing, settings } = ports;
	if (budget === undefined) return requestReply(prompt, ports);
	const estimate = estimateOf({ promptTokens: estimateTokens(prompt), maxOutputTokens: settings.maxOutputTokens });
	const reservation = budget.reserve(amountsOf(undefined, estimate, pricing));
	try {
		const reply = await requestReply(prompt, ports);
		const usage = tokenUsage(reply.usage);
		if (usage === undefined && reply.aborted && reply.content.length === 0) reservation.release();
		else reservation.settle(amountsOf(usage, estimate, pricing));
		return reply;
	} finally {
		reservation.release();
	}
}

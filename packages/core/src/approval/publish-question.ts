import { randomUUID } from "node:crypto";
import type { ToolContext } from "../tool/tool.js";
import type { ApprovalRequest } from "./approval-request.js";

/** Tells the log of the run that somebody is asked, and what came of it. */
export async function publishQuestion(
	{ skill, path, digest, confined, tool, input, reason, changes }: ApprovalRequest,
	{ run, toolCallId }: Pick<ToolContext, "run" | "toolCallId">,
	wait: () => Promise<string | undefined>,
): Promise<string | undefined> {
	const requestId = randomUUID();
	const toolInput = { approve: { skill, path, digest, confined, reason, changes }, input };
	run?.publish("hitl.requested", {
		requestId,
		toolCalls: [{ toolName: tool, toolInput, ...(toolCallId !== undefined && { toolCallId }) }],
	});
	let isApproved = false;
	try {
		const denial = await wait();
		isApproved = denial === undefined;
		return denial;
	} finally {
		run?.publish("hitl.resolved", { requestId, resolution: isApproved ? "approved" : "denied" });
	}
}

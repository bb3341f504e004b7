import { join } from "node:path";
import type { ApprovalOptions } from "../../src/approval/approval-options.js";
import type { ApprovalAnswer, ApprovalRequest, Approve } from "../../src/approval/approval-request.js";
import { withApproval } from "../../src/approval/with-approval.js";
import { AgentSkill } from "../../src/skill/agent-skill.js";
import type { EventLog } from "../../src/stream/event-log.js";
import { runTool } from "../../src/tool/run-tool.js";
import { type File, temporaryBundle } from "../script/bundle.js";

export const SKILL_MD = '---\nname: greet\ndescription: Greets.\nfs_read: ["."]\n---\nGreet.\n';

/** A bundle whose one script prints what its library says. */
export const GREETING: Readonly<Record<string, File>> = {
	"SKILL.md": SKILL_MD,
	"scripts/greet.sh": '#!/bin/sh\n# Greets.\n. "$(dirname "$0")/lib/words.sh"\necho "$WORD $*"\n',
	"scripts/lib/words.sh": { text: "WORD=hello\n", mode: 0o644 },
};

export const greeting = (more: Readonly<Record<string, File>> = {}): string => temporaryBundle({ ...GREETING, ...more });

/** Answers in order, the last one again and again, and keeps what it was asked. */
export function answering(...answers: readonly (ApprovalAnswer | (() => unknown))[]): {
	readonly approve: Approve;
	readonly asked: ApprovalRequest[];
} {
	const asked: ApprovalRequest[] = [];
	const approve: Approve = async (request) => {
		const answer = answers[Math.min(asked.length, answers.length - 1)];
		asked.push(request);
		return (typeof answer === "function" ? await answer() : answer) as ApprovalAnswer;
	};
	return { approve, asked };
}

/** Runs the bundle's first script as a robot does. A store that is nowhere holds nothing. */
export async function run(
	bundle: string,
	{ asked: _, ...options }: ApprovalOptions & { readonly asked?: unknown },
	{ args = [], signal, log }: { readonly args?: readonly string[]; readonly signal?: AbortSignal; readonly log?: EventLog } = {},
): Promise<string> {
	const skill = await AgentSkill.load(join(bundle, "SKILL.md"));
	const [tool] = withApproval(await skill.scriptTools(), skill, { store: join(bundle, "../no-such-store"), ...options });
	if (tool === undefined) throw new Error("the bundle has no script");
	return (await runTool(tool, { args }, { signal, log })).text;
}

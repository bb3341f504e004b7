import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";
import type { ApprovalRequest } from "./approval-request.js";
import { changesText } from "./bundle-changes.js";

/** What is said of an answer that lets nothing run, as a sentence about the skill. It may be anything. */
export function denialOf(answer: unknown, { reason, changes }: ApprovalRequest): string {
	const { deny } = (typeof answer === "object" && answer !== null ? answer : {}) as { readonly deny?: unknown };
	if (typeof deny === "string") return `was not approved: ${messageOf(deny).replace(/(?<![.!?])$/, ".")}`;
	if (answer !== "deny")
		return `was not approved: who was asked answered ${describeValue(answer)}, which is none of once, always and deny.`;
	const since = reason === "files_changed" ? `, after it had been changed (${changesText(changes)})` : "";
	return `was not approved${since}: the person who was asked said no. Do without it.`;
}

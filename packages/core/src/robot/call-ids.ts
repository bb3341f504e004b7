import { randomBytes } from "node:crypto";
import type { Reply, ReplyPart, RequestedCall } from "./reply.js";

/**
 * The reply with an id for every call that no other call has: providers refuse a history in which two calls share one. An id that is
 * taken, or none at all, gives way to a new one, in the call and in the provider's own result of it.
 *
 * @param taken The ids of the calls before; the reply's are added.
 */
export function withUniqueCallIds(reply: Reply, taken: Set<string>): Reply {
	const answerable = new Map<string, string[]>();
	const requested: string[] = [];
	const content = reply.content.map((part): ReplyPart => {
		if (part.type === "tool-result") return { ...part, toolCallId: answered(part.toolCallId, answerable) };
		if (part.type !== "tool-call") return part;
		const toolCallId = claim(part.toolCallId, taken);
		if (part.providerExecuted) answerable.set(part.toolCallId, [...(answerable.get(part.toolCallId) ?? []), toolCallId]);
		else requested.push(toolCallId);
		return { ...part, toolCallId };
	});
	const calls = reply.calls.map((call, index): RequestedCall => ({ ...call, id: requested[index] ?? call.id }));
	return { ...reply, content, calls };
}

function claim(given: unknown, taken: Set<string>): string {
	const id = typeof given === "string" && given !== "" && !taken.has(given) ? given : `call_${randomBytes(12).toString("hex")}`;
	taken.add(id);
	return id;
}

/** Results come in the order of the calls. One whose call stands in an earlier reply keeps its id. */
function answered(given: string, answerable: ReadonlyMap<string, string[]>): string {
	const ids = answerable.get(given) ?? [];
	return (ids.length > 1 ? ids.shift() : ids[0]) ?? given;
}

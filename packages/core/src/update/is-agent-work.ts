import type { SessionUpdate } from "./output-event.js";

const WORK: ReadonlySet<unknown> = new Set<SessionUpdate["sessionUpdate"]>([
	"agent_message_chunk",
	"agent_thought_chunk",
	"tool_call",
	"tool_call_update",
	"plan",
]);

/**
 * Whether an update shows that a robot did something. False for errors, for usage and for what a person had said, which a run that
 * never reached its model has too; and for kinds that nobody knows.
 */
export const isAgentWorkUpdate = (update: SessionUpdate): boolean => WORK.has(update?.sessionUpdate);

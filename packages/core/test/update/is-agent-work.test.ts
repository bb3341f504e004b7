import { expect, it } from "vitest";
import { isAgentWorkUpdate } from "../../src/update/is-agent-work.js";
import type { SessionUpdate } from "../../src/update/output-event.js";

it.each([
	["agent_message_chunk", true],
	["agent_thought_chunk", true],
	["tool_call", true],
	["tool_call_update", true],
	["plan", true],
	["user_message_chunk", false],
	["error", false],
	["usage", false],
	["somebody_elses", false],
	[undefined, false],
])("isAgentWorkUpdate() says of %s: %s", (sessionUpdate, isWork) => {
	expect(isAgentWorkUpdate({ sessionUpdate } as SessionUpdate)).toBe(isWork);
});

it.each([[undefined], [null], ["plan"], [3]])("isAgentWorkUpdate() says of %s: false", (update) => {
	expect(isAgentWorkUpdate(update as never)).toBe(false);
});

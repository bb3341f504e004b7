import { describe, expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import { HOOK_METHODS } from "../../src/hook/hook-methods.js";
import { Robot } from "../../src/robot/robot.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";

const revoked = (): object => {
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();
	return proxy;
};

describe("The log of a run", () => {
	it.each(HOOK_METHODS.filter((method) => /Run$|LlmGeneration$|ToolCall$|Compaction$/.test(method) && !/Network/.test(method)))(
		"is whole though %s throws what cannot be read",
		async (method) => {
			const thrown = revoked();
			const model = new ScriptedModel(["One.", { toolCalls: [{ name: "add" }] }, "Done."]);
			const add = createTool({ name: "add", description: "Adds.", execute: () => "3" });
			const robot = new Robot({ name: "bob", model, localTools: [add], autoCompact: (messages) => [...messages] });
			await robot.run("Hi.");
			const events: StreamEvent[] = [];
			robot.on("event", (event) => events.push(event));
			const hook = { namespace: "x", [method]: () => { throw thrown; } } as unknown as Hook; // biome-ignore format: one line
			let failures = 0;
			await robot.run("Add.", { hooks: [hook] }).catch((error: unknown) => {
				if (error === thrown) failures += 1;
			});
			// hooks that fail while a history is made shorter cost the run nothing else
			expect(failures).toBe(method.endsWith("Compaction") ? 0 : 1);
			assertWholeLog(events);
		},
	);
});

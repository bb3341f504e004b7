import { describe, expect, it } from "vitest";
import { Capabilities } from "../../src/capability/capabilities.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { ScriptTool } from "../../src/script/script-tool.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { temporarySkill } from "../../src/testing/temporary-skill.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";

async function runLogged(script: string, more: object = {}): Promise<{ events: readonly StreamEvent[]; output: string }> {
	await using skill = await temporarySkill({ "scripts/run.sh": `#!/bin/bash\n${script}\n` });
	const log = new EventLog();
	const command = ["bash", skill.file("scripts/run.sh")];
	const { output } = await ScriptTool.run(command, { capabilities: new Capabilities(), skillDir: skill.path, log, ...more });
	return { events: log.after(0), output };
}

const reasons = (events: readonly StreamEvent[]): string[] =>
	events.flatMap(({ event, data }) => (event === "metadata.updated" && data.type === "lifecycle" ? [data.lifecycle.reason] : []));

describe("ScriptTool.run() with a log", () => {
	it("tells of the script's life and output, to the caller's own listeners as well", async () => {
		const told: string[] = [];
		const { events, output } = await runLogged("echo one; echo two >&2", {
			onOutput: (chunk: string) => told.push(chunk),
			onLifecycle: (reason: string) => told.push(reason),
		});
		assertWholeLog(events);
		expect(events[0]).toMatchObject({ event: "run.started", data: { name: "run.sh", scope: "script" } });
		expect(reasons(events)).toEqual(["command_start", "command_complete"]);
		expect(events.at(-3)).toMatchObject({
			event: "part.completed",
			data: { finalContent: output, result: output, script: { exitCode: 0, confinement: "none" } },
		});
		expect([told[0], told.slice(1, -1).join(""), told.at(-1)]).toEqual(["command_start", "one\ntwo\n", "command_complete"]);
		expect(events.at(-2)?.event).toBe("run.completed");
	});

	it("puts output into the log while the script runs, before it ends", async () => {
		const log = new EventLog();
		const controller = new AbortController();
		const seen: string[] = [];
		log.subscribe(({ event, data }) => {
			seen.push(event);
			// the script waits for nobody: only the abort can end it
			if (event === "tool_call.output.delta" && data.delta.includes("waiting")) controller.abort();
		});
		const command = ["bash", "-c", "echo waiting; sleep 300"];
		const result = await ScriptTool.run(command, { capabilities: new Capabilities(), skillDir: "/tmp", log, signal: controller.signal });
		expect(result.aborted).toBe(true);
		expect(seen.indexOf("tool_call.output.delta")).toBeLessThan(seen.indexOf("part.failed"));
		expect(log.after(0).at(-2)).toMatchObject({ event: "run.interrupted", data: { reason: "user_cancellation" } });
		expect(reasons(log.after(0))).toEqual(["command_start", "command_interrupted"]);
		assertWholeLog(log.after(0));
	});

	it("says that a script failed, with its exit code, and that one was not run, with why", async () => {
		const failed = await runLogged("exit 3");
		expect(failed.events.at(-2)).toMatchObject({ event: "run.failed", data: { error: { code: "tool_failed" } } });
		expect(failed.events.at(-3)).toMatchObject({ event: "part.failed", data: { script: { exitCode: 3 } } });
		const refused = new EventLog();
		await ScriptTool.run(["/no/such/program"], { capabilities: new Capabilities(), skillDir: "/tmp", log: refused });
		assertWholeLog(refused.after(0));
		expect(refused.after(0).at(-2)).toMatchObject({ event: "run.failed", data: { error: { code: expect.stringMatching(/missing/) } } });
	});

	it("publishes nothing for a call that is none, and refuses a log that holds another run", async () => {
		const log = new EventLog();
		const options = { capabilities: new Capabilities(), skillDir: "/tmp", log };
		await expect(ScriptTool.run([], options)).rejects.toThrow(ConfigurationError);
		expect(log.lastSequenceNumber).toBe(0);
		await ScriptTool.run(["true"], options);
		await expect(ScriptTool.run(["true"], options)).rejects.toThrow("a log holds one root run");
	});
});

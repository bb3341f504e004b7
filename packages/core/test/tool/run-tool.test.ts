import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { EventLog } from "../../src/stream/event-log.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";
import { runTool } from "../../src/tool/run-tool.js";

const double = createTool({
	name: "double",
	description: "Doubles a number.",
	parameters: z.object({ n: z.number() }),
	execute: ({ n }, { onOutput, run }) => {
		onOutput?.("doubling\n", "stdout");
		run?.publish("number.doubled", { n });
		return n * 2;
	},
});

describe("runTool()", () => {
	it("checks the arguments, answers with text and needs no log", async () => {
		expect(await runTool(double, { n: 21 })).toEqual({ text: "42", isError: false });
		expect(await runTool(double, { n: "x" })).toMatchObject({
			isError: true,
			text: expect.stringContaining("Error (invalid arguments): n:"),
		});
	});

	it("tells a log of the call as of a root run", async () => {
		const log = new EventLog();
		await runTool(double, { n: 21 }, { log });
		const events = log.after(0);
		assertWholeLog(events);
		expect(events.map(({ event, data }) => [event, data])).toMatchObject([
			["run.started", { name: "double", scope: "tool" }],
			["part.created", { type: "tool-output", toolName: "double" }],
			["tool_call.output.delta", { delta: "doubling\n", stream: "stdout" }],
			["number.doubled", { n: 21 }],
			["part.completed", { finalContent: "doubling\n", result: "42" }],
			["run.completed", { name: "double" }],
			["stream.ended", {}],
		]);
	});

	it("says in the log that the tool failed, or was aborted", async () => {
		const broken = createTool({ name: "broken", description: "Fails.", execute: () => { throw new Error("no disk"); } }); // biome-ignore format: one line
		const failed = new EventLog();
		await runTool(broken, {}, { log: failed });
		expect(failed.after(0).at(-2)).toMatchObject({
			event: "run.failed",
			data: { error: { code: "tool_failed", message: "Error (broken): no disk" } },
		});
		const aborted = new EventLog();
		const stuck = createTool({ name: "stuck", description: "Never ends.", execute: () => new Promise(() => {}) });
		const outcome = await runTool(stuck, {}, { log: aborted, signal: AbortSignal.timeout(10) });
		expect(outcome.text).toMatch(/^Error \(aborted\)/);
		assertWholeLog(aborted.after(0));
		expect(aborted.after(0).at(-2)?.event).toBe("run.interrupted");
	});

	it("names an option that it does not know", async () => {
		await expect(runTool(double, { n: 1 }, { singal: AbortSignal.abort() } as object)).rejects.toThrow(
			'runTool() knows no option "singal". Did you mean "signal"?',
		);
	});

	it("refuses a log that holds another run", async () => {
		const log = new EventLog();
		await runTool(double, { n: 1 }, { log });
		const count = log.lastSequenceNumber;
		await expect(runTool(double, { n: 2 }, { log })).rejects.toThrow(ConfigurationError);
		expect(log.lastSequenceNumber).toBe(count);
	});
});

import { describe, expect, it } from "vitest";
import { Network } from "../../src/network/network.js";
import { NetworkProjection } from "../../src/network/network-projection.js";
import type { NetworkResult } from "../../src/network/network-result.js";
import { Robot } from "../../src/robot/robot.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { OpenRun } from "../../src/stream/open-run.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { createTool } from "../../src/tool/create-tool.js";
import { robotThat, saying, untilStopped } from "./robots.js";

/** A robot whose only tool does something beneath its run. */
function robotWithTool(act: (run: OpenRun | undefined) => Promise<unknown>): { readonly robot: Robot; readonly events: StreamEvent[] } {
	const tool = createTool({
		name: "ask_lab",
		description: "Asks the lab",
		parameters: { type: "object" },
		execute: async (_input, { run }) => String(await act(run)),
	});
	const model = new ScriptedModel([{ toolCalls: [{ name: "ask_lab", args: {} }] } as never, "the lab has spoken"]);
	const robot = new Robot({ name: "asker", model, localTools: [tool] });
	const events: StreamEvent[] = [];
	robot.on("event", (event) => events.push(event));
	return { robot, events };
}

describe("a network beneath another run", () => {
	it("is in the log of that run, with the robots beneath its tasks", async () => {
		const inner = new Robot({ name: "inner", model: new ScriptedModel("yes") });
		const network = new Network({ name: "lab" }).task("a", inner).task("b", saying("b"), { dependsOn: ["a"] });
		const { robot, events } = robotWithTool(async (parent) => (await network.run({ message: "go", ...(parent && { parent }) })).status);
		const result = await robot.run("ask");
		expect(result.toolCalls[0]?.content).toBe("done");
		assertWholeLog(events);
		const scopes = new Map(events.map(({ data }) => [data.runId, data]));
		const [, lab] = [...scopes].find(([, { scope }]) => scope === "network") ?? [];
		expect(scopes.get(lab?.parentRunId ?? "")?.scope).toBe("robot");
		const projection = new NetworkProjection();
		for (const event of events) projection.observe(event);
		expect(Object.keys(projection.outcomes)).toEqual(["a", "b"]);
	});

	it("ends with that run where nobody waited for it", async () => {
		let left: Promise<NetworkResult> | undefined;
		const network = new Network({ name: "lab" }).task("a", untilStopped()).task("b", saying("b"), { dependsOn: ["a"] });
		const { robot, events } = robotWithTool(async (parent) => {
			left = network.run({ message: "go", ...(parent && { parent }) });
			return "begun";
		});
		await robot.run("ask");
		assertWholeLog(events);
		expect((await left)?.tasks).toMatchObject({ a: { state: "cancelled" }, b: { state: "cancelled" } });
	});

	it("is stopped with that run, by the same signal", async () => {
		const stop = new AbortController();
		const network = new Network({ name: "lab" }).task("a", untilStopped());
		const { robot, events } = robotWithTool(async (parent) => {
			setImmediate(() => stop.abort());
			return (await network.run({ message: "go", ...(parent && { parent }) })).status;
		});
		await robot.run("ask", { signal: stop.signal });
		assertWholeLog(events);
		const ends = events.filter(({ event, data }) => event === "run.interrupted" && data.scope !== "robot");
		expect(ends.map(({ data }) => [data.scope, "reason" in data && data.reason])).toEqual([
			["task", "user_cancellation"],
			["network", "user_cancellation"],
		]);
	});

	it("may be a network in a network: only the outer one is drawn from the log", async () => {
		const inner = new Network({ name: "inner" }).task("x", saying("from within"));
		const outer = new Network({ name: "outer" }).task(
			"nested",
			robotThat(async (message, { parent }) => (await inner.run({ message, ...(parent && { parent }) })).lastTextContent),
		);
		const log = new EventLog();
		expect((await outer.run({ message: "go", log })).lastTextContent).toBe("from within");
		assertWholeLog(log.after(0));
		const projection = new NetworkProjection();
		for (const event of log.after(0)) projection.observe(event);
		expect(Object.keys(projection.outcomes)).toEqual(["nested"]);
	});
});

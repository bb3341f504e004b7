import type { StreamEvent } from "@robot-lab/core";
import { expect, it } from "vitest";
import { NetworkComplaints } from "../../src/render/network-complaints.js";
import { PLAIN } from "../../src/render/style.js";

const event = (name: string, scope: string, runId: string, data: object): StreamEvent =>
	({ event: name, data: { scope, runId, messageId: "m", ...data } }) as unknown as StreamEvent;

it("a warning is said once for each task and robot, a retry each time, both with whose they are", () => {
	const warning = { type: "warning", message: "No temperature." };
	const retry = { name: "model", error: { code: "x", message: "busy" }, retryInMs: 1000 };
	const events = [
		event("run.started", "network", "n", { name: "lab" }),
		event("metadata.updated", "network", "n", warning),
		event("run.started", "task", "t", { name: "facts\u001b", parentRunId: "n" }),
		event("run.started", "robot", "r", { name: "checker", model: "openai/x", parentRunId: "t" }),
		event("metadata.updated", "robot", "r", warning),
		event("metadata.updated", "robot", "r", warning),
		event("metadata.updated", "robot", "r", { ...warning, skill: "s" }),
		event("step.failed", "robot", "r", retry),
		event("step.failed", "robot", "r", retry),
		event("step.failed", "task", "t", retry),
	];
	const complaints = new NetworkComplaints();
	expect(events.map((each) => complaints.complaint(each, PLAIN)).filter((text) => text !== "")).toEqual([
		"warning: No temperature.\n",
		"warning: facts\\u001b (robot checker with openai/x): No temperature.\n",
		"retry: facts\\u001b (robot checker with openai/x): in 1.0 s, busy\n",
		"retry: facts\\u001b (robot checker with openai/x): in 1.0 s, busy\n",
		"retry: facts\\u001b: in 1.0 s, busy\n",
	]);
});

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AgentSkillCatalog, configure, type LifecycleEvent, Robot, reloadConfig, type StreamEvent } from "@robot-lab/core";
import { assertWholeLog, ScriptedModel } from "@robot-lab/core/testing";
import { afterEach, describe, expect, it } from "vitest";
import "../src/register.js";
import { noBubblewrap } from "./support/no-bubblewrap.js";
import { put, workshop } from "./support/workshop.js";

afterEach(() => {
	reloadConfig();
});

function stage(script: string, { timeout = 20 } = {}) {
	const directory = workshop();
	const out = join(directory, "out");
	mkdirSync(out);
	put(
		join(directory, "skills/noter/SKILL.md"),
		`---\nname: noter\ndescription: Take a note.\nfs_write: ["${out}"]\ntimeout: ${timeout}\n---\n`,
	);
	put(join(directory, "skills/noter/scripts/note.sh"), `#!/bin/bash\n${script}\n`, 0o755);
	configure({ sandbox: { enabled: true, backend: "bubblewrap", fsWrite: [out] } });
	const model = new ScriptedModel([{ toolCalls: [{ name: "noter__note", id: "c" }] }, "noted"]);
	const robot = new Robot({ name: "bob", model, skills: new AgentSkillCatalog(join(directory, "skills")) });
	const events: StreamEvent[] = [];
	const changes: LifecycleEvent[] = [];
	robot.on("event", (event) => events.push(event));
	robot.on("lifecycle", (change) => changes.push(change));
	return { robot, events, changes, out };
}

describe.skipIf(noBubblewrap !== undefined)(`the log of a run whose script is confined (${noBubblewrap ?? "by bubblewrap"})`, () => {
	it("tells what the script was granted before it starts, then each step and its output", async () => {
		const { robot, events, changes, out } = stage("echo noting");
		await robot.run("Take a note");
		assertWholeLog(events);
		expect(changes.map(({ reason, sandbox, agent, sandboxId }) => [reason, sandbox, agent, sandboxId])).toEqual([
			["run_start", "running", "running", null],
			["sandbox_boot", "booting", "running", "c"],
			["sandbox_ready", "ready", "running", "c"],
			["command_start", "running", "running", "c"],
			["command_complete", "ready", "running", "c"],
			["run_complete", "ready", "idle", null],
		]);
		expect(changes[1]?.detail).toMatchObject({ grant: { fsWrite: [out], network: false, timeout: 20, trust: "external" } });
		expect(changes[3]?.detail).toMatchObject({ confinement: "bubblewrap" });
		const at = (isIt: (event: StreamEvent) => boolean): number => events.findIndex(isIt);
		const reasonAt = (reason: string): number =>
			at(({ event, data }) => event === "metadata.updated" && data.type === "lifecycle" && data.lifecycle.reason === reason);
		const output = at(({ event }) => event === "tool_call.output.delta");
		expect(reasonAt("command_start")).toBeLessThan(output);
		expect(output).toBeLessThan(reasonAt("command_complete"));
	});

	it("tells that the sandbox was killed when the script's time was up", async () => {
		const { robot, events, changes } = stage("echo begun; sleep 300", { timeout: 1 });
		await robot.run("Take a note");
		assertWholeLog(events);
		expect(changes.map(({ reason }) => reason)).toEqual([
			"run_start",
			"sandbox_boot",
			"sandbox_ready",
			"command_start",
			"sandbox_killed",
			"command_interrupted",
			"run_complete",
		]);
		expect(events.find((event) => event.event === "part.failed")?.data).toMatchObject({
			error: { code: "timed_out" },
			script: { timedOut: true },
		});
	});
});

describe("the log of a run whose script nothing confines", () => {
	it("tells with its start what it was granted, of which the timeout and the limits hold", async () => {
		const { robot, events, changes } = stage("echo noting");
		configure({ sandbox: { backend: "none" } });
		await robot.run("Take a note");
		assertWholeLog(events);
		expect(changes.map(({ reason, sandboxId }) => [reason, sandboxId])).toEqual([
			["run_start", null],
			["command_start", null],
			["command_complete", null],
			["run_complete", null],
		]);
		expect(changes[1]?.detail).toMatchObject({ confinement: "none", grant: { timeout: 20, network: false } });
	});
});

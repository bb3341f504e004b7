import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { config } from "@robot-lab/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { CHECKS } from "../../src/doctor/checks/checks.js";
import { runDoctor } from "../../src/doctor/doctor.js";
import { Sandbox } from "../../src/index.js";
import { isRoot, processesWith } from "../bubblewrap/arena.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { moveTemporaryDirectory, workshop } from "../support/workshop.js";
import { diagnose, runDirectly, sabotage } from "./sabotage.js";

/** What a computer may not have: a network, a terminal, a program, a kernel that lets it be done without confinement, a user who may. */
const MAY_BE_SKIPPED = /starts$|^names with|^terminals of|TIOCSTI|^a user namespace|^mounting anew|^tracing/;
const SLOW = { timeout: 180_000 };

describe.skipIf(noBubblewrap !== undefined)(`Sandbox.doctor() (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("finds nothing wrong, having tried every check of Linux, and leaves nothing behind", SLOW, async () => {
		const temporary = workshop();
		const { restore } = moveTemporaryDirectory(temporary);
		onTestFinished(restore);
		const before = { home: readdirSync(homedir()).sort(), config: config(), key: process.env.DOCTOR_API_KEY };
		const told: string[] = [];
		const report = await Sandbox.doctor({ onRow: ({ name }) => told.push(name) });
		expect(report).toMatchObject({ platform: "linux", backend: "bubblewrap", isHealthy: true });
		expect(report.unavailable).toBeUndefined();
		const names = report.rows.map(({ name }) => name);
		expect(names).toEqual([
			...CHECKS.filter(({ platforms }) => platforms.includes("linux")).map(({ name }) => name),
			"a script that does nothing",
		]);
		expect(told).toEqual(names);
		const skipped = report.rows.filter(({ outcome }) => outcome === "skipped");
		const mustBeTried = (name: string): boolean =>
			!MAY_BE_SKIPPED.test(name) && !name.startsWith("names ") && (isRoot || name !== "settings of the kernel");
		expect(skipped.map(({ name }) => name).filter(mustBeTried)).toEqual([]);
		expect(report.rows.filter(({ outcome }) => outcome === "failed")).toEqual([]);
		expect(report.rows.find(({ name }) => name === "bash starts")).toMatchObject({ outcome: "ok", expected: "works", seen: "works" });
		expect(report.rows.find(({ name }) => name === "reading a file at home")).toMatchObject({
			expected: "refused: No such file or directory",
			seen: "No such file or directory",
		});
		expect(report.rows.at(-1)).toMatchObject({ outcome: "noted", seen: expect.stringMatching(/^\d+\.\d ms instead of \d+\.\d ms/) });

		expect(readdirSync(temporary)).toEqual([]);
		expect(readdirSync(homedir()).sort()).toEqual(before.home);
		expect([config(), process.env.DOCTOR_API_KEY]).toEqual([before.config, before.key]);
		expect(processesWith("robot-lab-doctor")).toEqual([]);
	});

	it("says that the network is open where a bwrap leaves out --unshare-net, and that the rest holds", SLOW, async () => {
		const names = ["TCP without the network", "UDP without the network", "a UNIX socket without the network", "reading a file at home"];
		expect(Object.values(await diagnose(names)).map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok", "ok"]);
		sabotage("s/(^|\\0)--unshare-net\\0/$1/");
		const rows = await diagnose(names);
		expect(rows["TCP without the network"]).toMatchObject({ outcome: "failed", seen: "it got through" });
		expect(rows["UDP without the network"]).toMatchObject({ outcome: "failed", seen: "it got through" });
		expect(rows["a UNIX socket without the network"]?.outcome).toBe("ok");
		expect(rows["reading a file at home"]?.outcome).toBe("ok");
	});

	it("says what can be written where a bwrap mounts writable what was to be read-only", SLOW, async () => {
		sabotage("s/--ro-bind\\0(?=[^\\0]*robot-lab-doctor)/--bind\\0/g");
		const names = ["writing what may only be read", "writing into the skill", "planting a git hook"];
		const rows = await diagnose([...names, "writing a file at home"]);
		for (const name of names) expect(rows[name]).toMatchObject({ outcome: "failed", seen: "it got through" });
		expect(rows["writing a file at home"]?.outcome).toBe("ok");
	});

	it("says what is open at home where a bwrap mounts that, too", SLOW, async () => {
		sabotage(`s|$|--bind\\0${homedir()}\\0${homedir()}\\0|`);
		const names = [
			"reading a file at home",
			"listing a directory at home",
			"reading through a symbolic link",
			"moving a directory to where it may be read",
		];
		const rows = await diagnose([...names, "writing a file at home", "writing what may only be read"]);
		for (const name of [...names, "writing a file at home"])
			expect(rows[name]).toMatchObject({ outcome: "failed", seen: "it got through" });
		expect(rows["writing what may only be read"]?.outcome).toBe("ok");
	});

	it("says that the filter of system calls is missing where a bwrap leaves it out", SLOW, async () => {
		sabotage("s/--seccomp\\0[^\\0]*\\0//");
		const rows = await diagnose(["a UNIX socket with the network", "leaving a setuid file", "tracing a process", "writing into the skill"]);
		expect(rows["a UNIX socket with the network"]?.outcome).toBe("failed");
		expect(rows["leaving a setuid file"]?.outcome).toBe("failed");
		expect(rows["writing into the skill"]?.outcome).toBe("ok");
	});

	it("says of nearly everything that it gets through where a bwrap deceives the probe and runs the command directly", SLOW, async () => {
		runDirectly();
		const names = [
			"reading a file at home",
			"moving a directory to where it may be read",
			"writing through a hard link",
			"renaming .git to plant another one",
			"TCP without the network",
			"another process's environment by /proc",
			"signals to other processes",
		];
		const rows = await diagnose([...names, "bash starts"]);
		for (const name of names) expect(rows[name]).toMatchObject({ outcome: "failed", seen: "it got through" });
		expect(rows["bash starts"]?.outcome).toBe("ok");
	});

	it("stops where it is when it is aborted, and leaves nothing behind", SLOW, async () => {
		const temporary = workshop();
		const { restore } = moveTemporaryDirectory(temporary);
		onTestFinished(restore);
		const controller = new AbortController();
		const rows: string[] = [];
		const running = runDoctor({
			signal: controller.signal,
			onRow: ({ name }) => {
				rows.push(name);
				controller.abort();
			},
		});
		await expect(running).rejects.toThrow("aborted");
		expect(rows).toEqual(["bash starts"]);
		expect(readdirSync(temporary)).toEqual([]);
		expect(process.env.DOCTOR_API_KEY).toBeUndefined();
	});
});

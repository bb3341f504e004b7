import { readdirSync } from "node:fs";
import { config } from "@robot-lab/core";
import { describe, expect, it } from "vitest";
import { CHECKS } from "../../src/doctor/checks/checks.js";
import { runDoctor } from "../../src/doctor/doctor.js";
import { Sandbox } from "../../src/index.js";
import { processesWith } from "../bubblewrap/arena.js";
import { noBubblewrap } from "../support/no-bubblewrap.js";
import { ownSurroundings } from "./own-surroundings.js";
import { diagnose, runDirectly, sabotage } from "./sabotage.js";

const SLOW = { timeout: 180_000 };
const ON_LINUX = CHECKS.filter(({ platforms }) => platforms.includes("linux"));
const nameOf = ({ name }: { readonly name: string }): string => name;

/** What an Ubuntu, a Debian or a container may lack; everything else is tried everywhere. */
const MAY_BE_LACKING = [
	"python3, first on PATH, starts",
	"python3 of the system starts",
	"python3 of pyenv starts",
	"node, first on PATH, starts",
	"node of nvm starts",
	"ruby starts",
	"git starts",
	"names without the network",
	"names with the network",
	"terminals of the user",
	"more processes than the limit",
	"devices of the computer",
];
/** What kernels refuse of themselves: by a setting, or to whoever is not root. */
const MAY_BE_MOOT = [
	"a user namespace",
	"mounting anew what may only be read",
	"settings of the kernel",
	"tracing a process",
	"typing into a terminal (TIOCSTI)",
	"writing beside what is granted",
];

describe.skipIf(noBubblewrap !== undefined)(`Sandbox.doctor() (${noBubblewrap ?? "bubblewrap works here"})`, () => {
	it("excuses a computer only from what it may lack, and takes only what a kernel may refuse for refused by it", () => {
		expect(ON_LINUX.filter(({ optional }) => optional === true).map(nameOf)).toEqual(MAY_BE_LACKING);
		expect(ON_LINUX.filter(({ refusedAnyway }) => refusedAnyway !== undefined).map(nameOf)).toEqual(MAY_BE_MOOT);
	});

	it(
		"finds nothing wrong, having tried every check of Linux but those that this computer has no means for, and leaves nothing behind",
		SLOW,
		async () => {
			const { home, temporary } = ownSurroundings();
			const before = { config: config(), key: process.env.DOCTOR_API_KEY };
			const told: string[] = [];
			const report = await Sandbox.doctor({ onRow: ({ name }) => told.push(name) });
			expect(report.rows.filter(({ outcome }) => outcome === "failed")).toEqual([]);
			expect(report).toMatchObject({ platform: "linux", backend: "bubblewrap", isHealthy: true, untried: [] });
			expect(report.unavailable).toBeUndefined();
			expect(report.rows.map(nameOf)).toEqual([...ON_LINUX.map(nameOf), "a script that does nothing"]);
			expect(told).toEqual(report.rows.map(nameOf));
			for (const { outcome, name, seen } of report.rows) {
				if (outcome === "skipped") expect(MAY_BE_LACKING).toContain(name);
				if (outcome === "moot")
					expect([name, seen]).toEqual([name, expect.stringMatching(/^refused without confinement, too: [\w:/ -]+$/)]);
				if (name === "bash starts") expect([outcome, seen]).toEqual(["ok", "works"]);
				if (name === "reading a file at home") expect([outcome, seen]).toEqual(["ok", "No such file or directory"]);
			}
			expect(report.rows.at(-1)).toMatchObject({ outcome: "noted", seen: expect.stringMatching(/^\d+\.\d ms instead of \d+\.\d ms/) });

			expect([readdirSync(temporary), readdirSync(home)]).toEqual([[], []]);
			expect([config(), process.env.DOCTOR_API_KEY]).toEqual([before.config, before.key]);
			expect(processesWith(temporary)).toEqual([]);
		},
	);

	it("says that the network is open where a bwrap leaves out --unshare-net, and that the rest holds", SLOW, async () => {
		sabotage("s/(^|\\0)--unshare-net\\0/$1/");
		const open = ["TCP without the network", "UDP without the network", "namespaces of the host"];
		const rows = await diagnose([...open, "a UNIX socket without the network", "reading a file at home"]);
		for (const name of open) expect(rows[name]).toMatchObject({ outcome: "failed", seen: "it got through" });
		expect(rows["a UNIX socket without the network"]?.outcome).toBe("ok");
		expect(rows["reading a file at home"]?.outcome).toBe("ok");
	});

	it("says what can be written where a bwrap mounts writable what was to be read-only", SLOW, async () => {
		sabotage("s/--ro-bind\\0(?=[^\\0]*robot-lab-doctor)/--bind\\0/g");
		const names = ["writing what may only be read", "deleting what may only be read", "writing into the skill", "planting a git hook"];
		const rows = await diagnose([...names, "writing a file at home"]);
		for (const name of names) expect(rows[name]).toMatchObject({ outcome: "failed", seen: "it got through" });
		expect(rows["writing a file at home"]?.outcome).toBe("ok");
	});

	it("says what is open at home where a bwrap mounts that, too", SLOW, async () => {
		const { home } = ownSurroundings();
		sabotage(`s|$|--bind\\0${home}\\0${home}\\0|`);
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

	const PARTS: readonly (readonly [left: string, change: string, failed: readonly string[]])[] = [
		[
			"leaves out --unshare-pid",
			"s/--unshare-pid\\0--as-pid-1\\0//",
			["another process's environment by /proc", "signals to other processes", "namespaces of the host"],
		],
		["leaves out --unshare-ipc", "s/--unshare-ipc\\0//", ["namespaces of the host"]],
		["leaves out --new-session", "s/--new-session\\0//", ["the session of the host"]],
		["leaves out --cap-drop", "s/--cap-drop\\0ALL\\0//", ["rights of root (capabilities)"]],
		["leaves the root writable", "s/--remount-ro\\0\\/\\0//", ["writing beside what is granted"]],
		["mounts all of /etc", "s|$|--ro-bind\\0/etc\\0/etc\\0|", ["the rest of the file system"]],
		["mounts the devices", "s|$|--dev-bind\\0/dev\\0/dev\\0|", ["devices of the computer"]],
		["hands over a variable", "s|$|--setenv\\0DOCTOR_VARIABLE\\0x\\0|", ["the host's secrets in the environment"]],
	];
	it.each(PARTS)("says what is open where a bwrap %s, and that the rest holds", SLOW, async (_, change, failed) => {
		sabotage(change);
		const rows = Object.values(await diagnose([...failed, "reading a file at home"]));
		expect(rows.filter(({ outcome }) => outcome === "failed").map(nameOf)).toEqual(failed);
		expect(rows.filter(({ outcome }) => outcome === "ok").map(nameOf)).toEqual(["reading a file at home"]);
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
		const { home, temporary } = ownSurroundings();
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
		expect(rows[0]).toBe("bash starts");
		expect(rows.length).toBeLessThan(ON_LINUX.length / 2);
		expect([readdirSync(temporary), readdirSync(home)]).toEqual([[], []]);
		expect(process.env.DOCTOR_API_KEY).toBeUndefined();
	});
});

import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Gate, runBounded } from "@robot-lab/core/process";
import { describe, expect, it } from "vitest";
import { GATE_FD, GO, inShell, LOOK, REPORT_FD } from "../../src/bubblewrap/inner-shell.js";
import { MountedFiles } from "../../src/bubblewrap/mounted.js";
import { put, workshop } from "../support/workshop.js";
import { isRoot } from "./arena.js";

const onLinux = process.platform === "linux";

const identity = (path: string): string => {
	const { dev, ino } = statSync(path, { bigint: true });
	return `${dev}:${ino}`;
};

/** What comes of a script whose shell is answered so. */
async function answered(answer: string): Promise<{ readonly output: string; readonly changed: boolean }> {
	const report = put(join(workshop(), "report"), "");
	const fd = openSync(report, "r+");
	try {
		const places = new Map<number, number | Gate>([
			[REPORT_FD, fd],
			[GATE_FD, () => answer],
		]);
		const fds = Array.from({ length: GATE_FD - 2 }, (_, index) => places.get(3 + index));
		const script = 'echo "ran $1"; ls /dev/fd/9 2>&1; env | grep _robot_lab';
		const { output } = await runBounded(inShell(["sh", "-c", script, "sh", "all"]), { fds });
		return { output, changed: readFileSync(report, "utf8") === "changed\n" };
	} finally {
		closeSync(fd);
	}
}

describe.skipIf(!onLinux)("the shell inside (Linux)", () => {
	it("runs the script when it is told to go on, and leaves it no channel and no variable", async () => {
		const { output, changed } = await answered(GO);
		expect(output).toMatch(/^ran all\n.*No such file.*\n$/);
		expect(changed).toBe(false);
	});

	it.each(["", "\n", "no\n", "going\n", "go on\ngo on\n", "no\nno\n", "*\n"])("runs nothing when it is answered %j", async (answer) => {
		expect(await answered(answer)).toEqual({ output: "", changed: true });
	});

	it("looks by itself when it is told to, and runs the script only where everything is as it is told", async () => {
		const directory = workshop();
		const pins = [directory, "/usr"].map((path) => `${identity(path)}\n${path}\n`);
		const stat = "/usr/bin/stat\n";
		expect((await answered(`${LOOK}${stat}${pins.join("")}`)).output).toMatch(/^ran all\n/);
		for (const lie of [`${identity("/")}\n${directory}\n`, `${identity(directory)}\n${join(directory, "gone")}\n`]) {
			expect(await answered(`${LOOK}${stat}${pins.join("")}${lie}`)).toEqual({ output: expect.not.stringContaining("ran"), changed: true });
		}
		expect(await answered(`${LOOK}/nowhere/stat\n${pins.join("")}`)).toMatchObject({ changed: true });
		expect(await answered(LOOK)).toMatchObject({ changed: true });
	});
});

describe.skipIf(!onLinux)("MountedFiles (Linux)", () => {
	it("tells what lies at a path in the file system of a process, the root of it too", () => {
		const file = put(join(workshop(), "a b", "*"), "");
		const mounted = new MountedFiles(process.pid);
		for (const path of ["/", "/usr", file]) expect(mounted.identityAt(path)).toBe(identity(path));
		mounted.close();
	});

	it("crosses no link, wherever in the path and wherever it leads", () => {
		const directory = workshop();
		mkdirSync(join(directory, "real", "sub"), { recursive: true });
		symlinkSync(join(directory, "real"), join(directory, "absolute"));
		symlinkSync("real", join(directory, "relative"));
		const mounted = new MountedFiles(process.pid);
		expect(mounted.identityAt(join(directory, "real", "sub"))).toBe(identity(join(directory, "real", "sub")));
		for (const link of ["absolute", "relative"]) {
			expect(() => mounted.identityAt(join(directory, link, "sub"))).toThrow(/ENOTDIR/);
			expect(mounted.identityAt(join(directory, link))).not.toBe(identity(join(directory, "real")));
		}
		expect(() => mounted.identityAt(join(directory, "gone"))).toThrow(/ENOENT/);
		mounted.close();
	});

	it.runIf(isRoot)("must not look into another user's process, and the shell is told to look then (root alone can be another user)", () => {
		const module = JSON.stringify(fileURLToPath(new URL("../../dist/bubblewrap/pins.js", import.meta.url)));
		const code = `import { pinMounts } from ${module};
const pins = pinMounts([{ kind: "read", path: "/usr", source: "/usr" }]);
const mayLook = pins.answer(${process.pid});
process.seteuid(65534);
console.log(JSON.stringify([mayLook, pins.answer(${process.pid}), pins.answer(2 ** 22)]));`;
		const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
		expect(stderr).toBe("");
		expect(JSON.parse(stdout)).toEqual([GO, expect.stringMatching(/^look\nlook\n\/.*stat\n\d+:\d+\n\/usr\n$/), ""]);
	});
});

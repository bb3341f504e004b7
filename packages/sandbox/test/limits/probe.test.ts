import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limitsHere } from "../../src/limits/limits-here.js";
import { ownLimits, parseLimits } from "../../src/limits/own-limits.js";
import { probeLimits } from "../../src/limits/probe-limits.js";
import { put, workshop } from "../support/workshop.js";

const onLinux = process.platform === "linux";
const REAL = onLinux ? "/usr/bin/prlimit" : "/bin/sh";

describe("probeLimits()", () => {
	const probing = (setter: string, own = ownLimits()) => probeLimits({ setter, platform: process.platform, strategy: "none", own });

	it("sees that limits are set, and lower ones of the host's own for what they are", async () => {
		expect(await probing(REAL)).toMatchObject({ isSet: true });
		const own = new Map([["fileSizeMb", { soft: 2_097_152, hard: 4_194_304 }] as const]);
		expect(await probing(REAL, own)).toMatchObject({ isSet: true });
	});

	it.each([
		["sets nothing", 'until [ "$1" = -- ]; do shift; done; shift; exec "$@"'],
		["fails", "echo failed >&2; exit 1"],
	])("sees that a program %s", async (_, behaviour) => {
		const program = put(join(workshop(), "prlimit"), `#!/bin/bash\n${behaviour}\n`, 0o755);
		expect(await probing(program)).toMatchObject({ isSet: false });
	});

	it("is told by a missing program", async () => {
		expect(await probing(join(workshop(), "prlimit"))).toMatchObject({ isSet: false });
	});
});

describe("parseLimits()", () => {
	it.skipIf(!existsSync("/proc/self/limits"))("finds this computer's own", () => {
		expect([...ownLimits().keys()].sort()).toEqual(["cpuSeconds", "fileSizeMb", "memoryMb", "processes"]);
		for (const { soft, hard } of ownLimits().values()) expect(soft > 0 && soft <= hard).toBe(true);
	});

	it("takes nothing from anything else", () => {
		expect(parseLimits("")).toEqual(new Map());
		expect(parseLimits("Max file size\nMax file size             x                    y\n")).toEqual(new Map());
	});
});

describe("limitsHere()", () => {
	it("says of each limit that it holds, or why not", async () => {
		expect(await limitsHere(process.platform, "none")).toEqual({
			memoryMb: onLinux ? true : expect.stringContaining("macOS"),
			processes: expect.stringContaining("all others of the host's user"),
			fileSizeMb: true,
			cpuSeconds: true,
			outputBytes: true,
		});
		const elsewhere = "that is done on Linux and macOS only, and this is win32";
		expect(await limitsHere("win32", "none")).toMatchObject({ memoryMb: elsewhere, fileSizeMb: elsewhere, outputBytes: true });
	});
});

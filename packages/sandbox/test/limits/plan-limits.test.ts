import { SandboxUnavailableError } from "@robot-lab/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LimitHost } from "../../src/limits/limit-host.js";
import { parseLimits } from "../../src/limits/own-limits.js";
import { planLimits } from "../../src/limits/plan-limits.js";

const LINUX: LimitHost = {
	platform: "linux",
	strategy: "bubblewrap",
	isRoot: false,
	setter: "/usr/bin/prlimit",
	counted: "script",
	own: new Map(),
};
const MAC: LimitHost = { ...LINUX, platform: "darwin", strategy: "seatbelt", setter: "/bin/sh", counted: "user" };
const ALL = { memoryMb: 64, processes: 8, fileSizeMb: 2, cpuSeconds: 5, outputBytes: 100 };

const refusalOf = (limits: object, host: LimitHost): string => {
	try {
		planLimits(limits, host);
	} catch (error) {
		expect(SandboxUnavailableError.isInstance(error) && error.code).toBe("grant_not_expressible");
		return (error as Error).message;
	}
	throw new Error("nothing was refused");
};

describe("planLimits()", () => {
	it("is nothing at all without a limit that a kernel holds to", () => {
		for (const host of [LINUX, MAC, { ...LINUX, setter: undefined }, { ...MAC, platform: "win32" } as const]) {
			expect(planLimits({}, host)).toEqual([]);
			expect(planLimits({ outputBytes: 5 }, host)).toEqual([]);
		}
	});

	it("has prlimit set them on Linux, in bytes; the shell that reports is not one of the script's processes", () => {
		expect(planLimits(ALL, LINUX)).toEqual([
			"/usr/bin/prlimit",
			"--as=67108864:67108864",
			"--nproc=9:9",
			"--fsize=2097152:2097152",
			"--cpu=5:6",
			"--",
		]);
	});

	it("has a shell set them on macOS, files in blocks of 512 bytes, the numbers as arguments", () => {
		const [shell, option, program, name, ...words] = planLimits({ fileSizeMb: 2, cpuSeconds: 5 }, MAC);
		expect([shell, option, name]).toEqual(["/bin/sh", "-c", "sh"]);
		expect(words).toEqual(["f", "4096", "4096", "t", "5", "6", "--"]);
		expect(planLimits({ cpuSeconds: 7 }, MAC)[2]).toBe(program);
	});

	it("only lowers what this process has itself", () => {
		const own = parseLimits(
			[
				"Limit                     Soft Limit           Hard Limit           Units     ",
				"Max cpu time              3                    unlimited            seconds   ",
				"Max file size             unlimited            unlimited            bytes     ",
				"Max processes             96362                4                    processes ",
				"Max address space         1048576              2097152              bytes     ",
			].join("\n"),
		);
		expect(planLimits(ALL, { ...LINUX, own }).slice(1, -1)).toEqual([
			"--as=1048576:2097152",
			"--nproc=9:4",
			"--fsize=2097152:2097152",
			"--cpu=3:6",
		]);
	});

	it("never asks for more than a kernel takes, whatever the limit", () => {
		const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
		fc.assert(
			fc.property(fc.record({ memoryMb: amount, processes: amount, fileSizeMb: amount, cpuSeconds: amount }), (limits) => {
				const numbers = planLimits(limits, LINUX).flatMap((word) => word.match(/\d+/g) ?? []);
				expect(numbers).toHaveLength(8);
				expect(numbers.every((number) => Number(number) >= 1 && Number(number) <= 2 ** 52)).toBe(true);
				const cpu = Number(numbers.at(-1));
				expect(BigInt(cpu) * 1_000_000_000n).toBeLessThan(2n ** 63n);
			}),
		);
	});

	it.each([
		["memory on macOS", { memoryMb: 64 }, MAC, /limits\.memoryMb, because macOS takes/],
		["processes on macOS", { processes: 64 }, MAC, /limits\.processes, because .*all others of the host's user\./],
		[
			"processes where nothing confines",
			{ processes: 64 },
			{ ...LINUX, strategy: "none" },
			/limits\.processes, .*only bubblewrap has them counted apart/,
		],
		[
			"processes of root",
			{ processes: 64 },
			{ ...LINUX, isRoot: true, counted: "nobody" },
			/lets root start any number.*run the host as another user/,
		],
		["processes that a kernel does not count", { processes: 64 }, { ...LINUX, counted: "nobody" }, /was tried, and refused none/],
		["processes before Linux 5.14", { processes: 64 }, { ...LINUX, counted: "user" }, /Linux 5\.14/],
		["anything without prlimit", { cpuSeconds: 1 }, { ...LINUX, setter: undefined }, /limits\.cpuSeconds, because prlimit.*"util-linux"/],
		["anything on macOS whose shell sets nothing", { cpuSeconds: 1 }, { ...MAC, setter: undefined }, /\/bin\/sh/],
		["anything elsewhere", { fileSizeMb: 1 }, { ...LINUX, strategy: "none", platform: "win32", setter: undefined }, /this is win32/],
	] as const)("refuses %s and says why and what to do", (_, limits, host, why) => {
		const message = refusalOf(limits, host);
		expect(message).toMatch(why);
		expect(message).toMatch(/take it out of the skill's limits or of sandbox\.limits\.$/);
	});

	it("names every limit that is refused, and sets none of the others", () => {
		const message = refusalOf(ALL, MAC);
		expect(message).toContain("limits.memoryMb");
		expect(message).toContain("nor to limits.processes");
		expect(message).not.toMatch(/fileSizeMb|cpuSeconds|outputBytes/);
	});
});

import { describe, expect, it } from "vitest";
import { callNumber, type FilterArchitecture } from "../../../src/bubblewrap/seccomp/call-numbers.js";
import { filterArchitecture, seccompFilter } from "../../../src/bubblewrap/seccomp/filter.js";
import { REFUSALS } from "../../../src/bubblewrap/seccomp/refusals.js";
import { runFilter } from "./run-filter.js";

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const I386 = 0x40000003;
const LARGEST_FILTER = 4096;

describe.each(["x64", "arm64"] as const)("seccompFilter() for %s", (architecture: FilterArchitecture) => {
	const filter = seccompFilter(architecture);
	const ask = (name: string, ...args: (number | bigint)[]): number =>
		runFilter(filter, { number: callNumber(name, architecture) ?? -1, architecture: AUDIT[architecture], args: args.map(BigInt) });
	const askNumber = (number: number): number => runFilter(filter, { number, architecture: AUDIT[architecture] });

	it("is a whole number of instructions, no more than the kernel takes", () => {
		expect(filter.length % 8).toBe(0);
		expect(filter.length / 8).toBeLessThan(LARGEST_FILTER);
	});

	it("answers every number there is, for a call of the table as it says and for the others yes", () => {
		const judged = new Map(
			REFUSALS.flatMap(({ calls, answer, when, except }) =>
				calls.map((name) => [callNumber(name, architecture), { answer, when, except }]),
			),
		);
		for (let number = 0; number <= 469; number += 1) {
			const refusal = judged.get(number);
			const expected = refusal === undefined || refusal.when !== undefined ? ALLOW : refusal.answer === "EPERM" ? EPERM : ENOSYS;
			expect([number, askNumber(number)]).toEqual([number, expected]);
		}
	});

	it("knows no call that is newer than the table, and none of x32", () => {
		for (const number of [470, 500, 0x3fffffff, 0x40000000, 0x40000000 + 41, 0xffffffff]) expect(askNumber(number)).toBe(ENOSYS);
	});

	it("ends a program that calls as another processor does", () => {
		for (const other of [I386, architecture === "x64" ? AUDIT.arm64 : AUDIT.x64, 0]) {
			expect(runFilter(filter, { number: 1, architecture: other })).toBe(KILL);
		}
	});

	it("lets sockets of the Internet through and no others, whatever the high halves of the arguments hold", () => {
		expect([ask("socket", 2, 1, 0), ask("socket", 10, 2, 17), ask("socket", 16, 3, 0)]).toEqual([ALLOW, ALLOW, ALLOW]);
		for (const family of [0, 1, 3, 17, 29, 38, 40, 44]) expect([family, ask("socket", family, 1, 0)]).toEqual([family, EPERM]);
		expect(ask("socket", 16, 3, 9)).toBe(EPERM);
		expect(ask("socket", (7n << 32n) | 1n, 1, 0)).toBe(EPERM);
		expect([ask("socketpair", 1, 1, 0), ask("socketpair", 30, 1, 0)]).toEqual([ALLOW, EPERM]);
	});

	it("looks at the flags of clone, and lets threads and processes be made", () => {
		expect([ask("clone", 17), ask("clone", 0x3d0f00), ask("clone", 0x1200011)]).toEqual([ALLOW, ALLOW, ALLOW]);
		for (const bit of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
			expect([bit, ask("clone", bit | 17)]).toEqual([bit, EPERM]);
		}
		expect([ask("unshare", 0), ask("setns", 3, 0), ask("clone3", 0, 88)]).toEqual([EPERM, EPERM, ENOSYS]);
	});

	it("refuses to type into terminals, also in disguise, and lets other requests through", () => {
		expect([ask("ioctl", 0, 0x5412), ask("ioctl", 0, 0x541c), ask("ioctl", 0, (1n << 32n) | 0x5412n)]).toEqual([EPERM, EPERM, EPERM]);
		expect([ask("ioctl", 0, 0x5401), ask("ioctl", 0, 0x5413)]).toEqual([ALLOW, ALLOW]);
	});

	it("looks at the mode where a call takes one", () => {
		for (const [bits, answer] of [
			[0o4755, EPERM],
			[0o2644, EPERM],
			[0o1777, ALLOW],
			[0o644, ALLOW],
		] as const) {
			expect([ask("fchmod", 3, bits), ask("fchmodat", 0, 0, bits), ask("fchmodat2", 0, 0, bits, 0)]).toEqual([answer, answer, answer]);
			expect([ask("mkdirat", 0, 0, bits), ask("mknodat", 0, 0, bits, 0)]).toEqual([answer, answer]);
			expect([ask("openat", 0, 0, 0o101, bits), ask("openat", 0, 0, 0o20200002, bits)]).toEqual([answer, answer]);
			expect(ask("openat", 0, 0, 0, bits)).toBe(ALLOW);
		}
		expect(ask("openat2", 0, 0, 0, 24)).toBe(ENOSYS);
	});
});

describe("seccompFilter() for x64", () => {
	it("looks at the mode of the older calls too", () => {
		const filter = seccompFilter("x64");
		const ask = (number: number, ...args: number[]): number =>
			runFilter(filter, { number, architecture: AUDIT.x64, args: args.map(BigInt) });
		expect([
			ask(90, 0, 0o4755),
			ask(2, 0, 0o101, 0o4755),
			ask(2, 0, 0, 0o4755),
			ask(85, 0, 0o2755),
			ask(133, 0, 0o104755),
			ask(83, 0, 0o2755),
		]).toEqual([EPERM, EPERM, ALLOW, EPERM, EPERM, EPERM]);
	});
});

describe("filterArchitecture()", () => {
	it("knows no processor but x64 and arm64", () => {
		expect(["x64", "arm64", "ia32", "arm", "riscv64", "ppc64", "s390x", "loong64"].map(filterArchitecture)).toEqual([
			"x64",
			"arm64",
			undefined,
			undefined,
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});
});

import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { Capabilities, type CapabilitiesInit } from "../../src/capability/capabilities.js";
import type { Config } from "../../src/config/config.js";
import { configure, reloadConfig } from "../../src/config/configure.js";

const from = (init: unknown): Capabilities => new Capabilities(init as CapabilitiesInit);
const values = ({ fsRead, fsWrite, network, timeout, trust, limits }: Capabilities): object => ({
	fsRead,
	fsWrite,
	network,
	timeout,
	trust,
	limits,
});
const DEFAULTS = { fsRead: [], fsWrite: [], network: false, timeout: 60, trust: "external", limits: {} };

describe("new Capabilities()", () => {
	it("grants nothing, for a minute, to an external skill, when nothing is said", () => {
		expect(values(new Capabilities())).toEqual(DEFAULTS);
		expect(new Capabilities().diagnostics).toEqual([]);
		expect(new Capabilities().refused).toEqual([]);
		expect(Capabilities.DEFAULT_TIMEOUT).toBe(60);
		expect(Capabilities.TRUST_LEVELS).toEqual(["core", "external"]);
	});

	it.each([true, 1, "true", "True", "TRUE", "yes", "Yes", "on", "ON", "1"])("grants the network for %j", (network) => {
		expect(from({ network }).network).toBe(true);
		expect(Capabilities.fromFrontMatter({ network }).network).toBe(true);
	});

	it.each([
		...[false, 0, "false", "False", "no", "NO", "off", "0", null, undefined],
		...[
			"",
			" true",
			"true ",
			"TRUE ",
			"y",
			"t",
			"ja",
			"enabled",
			"ｔｒｕｅ",
			"yeſ",
			"true\n",
			"01",
			"1.0",
			2,
			-1,
			1.5,
			Number.NaN,
			Number.POSITIVE_INFINITY,
		],
		...[
			{},
			[],
			[true],
			["true"],
			1n,
			Symbol("true"),
			() => true,
			new Boolean(true),
			new String("true"),
			{ valueOf: () => true },
			new Date(),
		],
	])("does not grant the network for %o", (network) => {
		expect(from({ network }).network).toBe(false);
		expect(Capabilities.fromFrontMatter({ network }).network).toBe(false);
	});

	it("says that a network value is malformed, and says nothing about a plain no", () => {
		expect(from({ network: "TRUE " }).diagnostics).toEqual(['network: "TRUE " is not true or false; false is used']);
		for (const network of [false, "no", "OFF", 0, "0", null, undefined]) expect(from({ network }).diagnostics).toEqual([]);
	});

	it.each([
		[30, 30],
		["30", 30],
		["1.9", 1],
		[1.9, 1],
		[undefined, 60],
		[null, 60],
	])("reads a timeout of %j as %j without a word", (timeout, expected) => {
		expect(from({ timeout }).timeout).toBe(expected);
		expect(from({ timeout }).diagnostics).toEqual([]);
	});

	it.each([
		["20s", 20],
		["20 seconds", 20],
		["20.9S", 20],
		["2500ms", 2],
		["500 msec", 1],
		["1 millisecond", 1],
		["0.5s", 1],
		["0s", 1],
		["2m", 2],
	])("takes of a timeout of %j no more than it says and at least a second, %d, and says so", (timeout, used) => {
		expect(from({ timeout }).timeout).toBe(used);
		expect(from({ timeout }).diagnostics).toEqual([
			`timeout: "${timeout}" is not a number of seconds, 1 or more, such as 20; ${used} is used`,
		]);
	});

	it.each([
		0,
		-5,
		0.5,
		"abc",
		"0",
		"-3",
		"90s",
		"30 s more",
		" 30",
		"0x10",
		"1e3",
		"",
		Number.NaN,
		Number.POSITIVE_INFINITY,
		true,
		[30],
		{},
		30n,
		Symbol("30"),
	])("replaces a timeout of %o by 60 and says so", (timeout) => {
		expect(from({ timeout }).timeout).toBe(60);
		expect(from({ timeout }).diagnostics).toEqual([expect.stringMatching(/^timeout: .*60 is used$/)]);
	});

	it("caps a timeout at what a timer carries, which would otherwise fire at once", () => {
		for (const timeout of [1e9, Number.MAX_VALUE, "9".repeat(400)]) expect([2_147_483, 60]).toContain(from({ timeout }).timeout);
		expect(from({ timeout: 1e9 }).timeout).toBe(2_147_483);
		expect(from({ timeout: 1e9 }).diagnostics).toEqual([expect.stringContaining("2147483 is used")]);
	});

	it.each([
		["core", "core"],
		["external", "external"],
		["Core", "external"],
		["core ", "external"],
		[true, "external"],
		[["core"], "external"],
		[undefined, "external"],
	])("reads a trust of %j as %s", (trust, expected) => {
		expect(from({ trust }).trust).toBe(expected);
		expect(from({ trust }).isCore).toBe(expected === "core");
	});

	it("takes one path without a list, keeps the spelling of each, and drops what is no text instead of turning it into text", () => {
		expect(from({ fsRead: "./data" }).fsRead).toEqual(["./data"]);
		const mixed = from({ fsRead: ["~/a", null, { toString: () => "/etc" }, 3, "", ["/etc"], "b/../c"] });
		expect(mixed.fsRead).toEqual(["~/a", "b/../c"]);
		expect(mixed.diagnostics).toEqual([
			"fs_read: entry 2 is null, not a path; dropped",
			"fs_read: entry 3 is an object, not a path; dropped",
			"fs_read: entry 4 is 3, not a path; dropped",
			'fs_read: entry 5 is "", not a path; dropped',
			"fs_read: entry 6 is a list, not a path; dropped",
		]);
	});

	it.each([true, 3, {}, { 0: "/etc", length: 1 }, new Set(["/etc"])])("grants nothing to write for %o", (fsWrite) => {
		expect(from({ fsWrite }).fsWrite).toEqual([]);
		expect(from({ fsWrite }).diagnostics).toEqual([expect.stringMatching(/^fs_write: /)]);
	});

	it("looks at no more than a thousand paths, however long a list says it is", () => {
		const endless = new Proxy([], { get: (_, key) => (key === "length" ? 1e12 : "/a") });
		expect(from({ fsRead: endless }).fsRead).toHaveLength(1000);
		expect(from({ fsRead: endless }).diagnostics).toEqual([expect.stringContaining("only the first 1000")]);
	});

	it("keeps the limits that are whole numbers of one or more", () => {
		const limited = from({ limits: { memoryMb: 64, processes: "8", cpuSeconds: 0, fileSizeMb: {}, outputBytes: 1.5, unknown: 3 } });
		expect(limited.limits).toEqual({ memoryMb: 64, processes: 8, outputBytes: 1 });
		expect(limited.diagnostics).toHaveLength(2);
		expect(from({ limits: 5 }).limits).toEqual({});
	});

	it("is frozen, its lists and limits too, and keeps no hold of the lists it was made from", () => {
		const fsRead = ["/a"];
		const made = new Capabilities({ fsRead, limits: { memoryMb: 1 } });
		fsRead.push("/etc");
		expect(made.fsRead).toEqual(["/a"]);
		for (const part of [made, made.fsRead, made.fsWrite, made.limits, made.diagnostics, made.refused])
			expect(Object.isFrozen(part)).toBe(true);
		expect(() => Object.assign(made, { network: true })).toThrow(TypeError);
	});

	it("inherits nothing from a polluted prototype", () => {
		const polluted = Object.create({ network: true, fsWrite: ["/"] });
		expect(values(from(polluted))).toEqual(DEFAULTS);
	});

	const revoked = (): object => {
		const { proxy, revoke } = Proxy.revocable([], {});
		revoke();
		return proxy;
	};
	const trap = (): never => {
		throw new Error("trap");
	};
	const hostile: readonly (() => unknown)[] = [
		revoked,
		() => new Proxy({}, { get: trap, getOwnPropertyDescriptor: trap, has: trap, ownKeys: trap, getPrototypeOf: trap }),
		() => ({ toString: trap, valueOf: trap, [Symbol.toPrimitive]: trap, toJSON: trap }),
		() => Object.defineProperty({}, "fsRead", { get: trap }),
		() => Object.defineProperty([], "0", { get: trap }),
		() => Object.create(null),
		() => Symbol("s"),
		() => 10n ** 400n,
		() => trap,
	];

	it("never throws and always comes out well-formed, whatever it is made from", () => {
		// Thunks, because fast-check looks at the values it makes and hostile ones cannot bear that.
		const plain = fc
			.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true, withBoxedValues: true })
			.map((value) => () => value);
		const anything = fc.oneof(plain, fc.constantFrom(...hostile));
		const fields = fc
			.dictionary(fc.constantFrom("fsRead", "fsWrite", "network", "timeout", "trust", "limits", "fs_read", "fs_write"), anything)
			.map((thunks) => () => Object.fromEntries(Object.entries(thunks).map(([key, make]) => [key, make()])));
		fc.assert(
			fc.property(fc.oneof(anything, fields), (make) => {
				const init = make();
				for (const made of [from(init), Capabilities.fromFrontMatter(init as never)]) {
					expect([...made.fsRead, ...made.fsWrite].every((path) => typeof path === "string" && path !== "")).toBe(true);
					expect(typeof made.network).toBe("boolean");
					expect(Number.isSafeInteger(made.timeout) && made.timeout > 0 && made.timeout * 1000 < 2 ** 31).toBe(true);
					expect(Capabilities.TRUST_LEVELS).toContain(made.trust);
					expect(Object.values(made.limits).every((limit) => Number.isSafeInteger(limit) && limit > 0)).toBe(true);
					expect(made.diagnostics.every((text) => typeof text === "string" && text.length < 500)).toBe(true);
				}
			}),
			{ numRuns: 500 },
		);
	});

	it("says that a field whose value cannot even be looked at became its default", () => {
		const made = from(Object.defineProperty({ network: true }, "fsRead", { get: trap, enumerable: true }));
		expect(values(made)).toEqual({ ...DEFAULTS, network: true });
		expect(made.diagnostics).toEqual(["fsRead: cannot be read; the default is used"]);
		expect(from(null).diagnostics).toEqual(["null is no set of capabilities; the defaults are used"]);
	});
});

describe("Capabilities.fromFrontMatter()", () => {
	it("reads the keys of SKILL.md", () => {
		const frontMatter = { fs_read: ["./in"], fs_write: "./out", network: true, timeout: 5, trust: "core", limits: { memory_mb: 64 } };
		expect(values(Capabilities.fromFrontMatter(frontMatter))).toEqual({
			fsRead: ["./in"],
			fsWrite: ["./out"],
			network: true,
			timeout: 5,
			trust: "core",
			limits: { memoryMb: 64 },
		});
	});

	it.each([null, undefined])("makes the defaults of %j, without a diagnostic", (frontMatter) => {
		expect(values(Capabilities.fromFrontMatter(frontMatter))).toEqual(DEFAULTS);
		expect(Capabilities.fromFrontMatter(frontMatter).diagnostics).toEqual([]);
	});
});

describe("Capabilities.fromFrontMatter() and two spellings of one key", () => {
	it("takes the documented one, whichever comes first, and says that the other is not used", () => {
		const made = Capabilities.fromFrontMatter({
			fsRead: ["/"],
			fs_read: ["a"],
			fs_write: ["b"],
			fsWrite: ["/"],
			limits: { memoryMb: 9_000, memory_mb: 64 },
		});
		expect(made).toMatchObject({ fsRead: ["a"], fsWrite: ["b"], limits: { memoryMb: 64 } });
		expect(made.diagnostics).toEqual([
			"fs_read: is written as fsRead too; fsRead is not used",
			"fs_write: is written as fsWrite too; fsWrite is not used",
			"limits.memory_mb: is written as memoryMb too; memoryMb is not used",
		]);
	});
});

describe("Capabilities.frontMatterValue()", () => {
	it("finds a key in either spelling, the documented one first", () => {
		expect(Capabilities.frontMatterValue({ fs_read: 1 }, "fsRead")).toBe(1);
		expect(Capabilities.frontMatterValue({ fsRead: 2 }, "fs_read")).toBe(2);
		expect(Capabilities.frontMatterValue({ fs_read: 1, fsRead: 2 }, "fsRead")).toBe(1);
		expect(Capabilities.frontMatterValue({ fs_read: null, fsRead: 2 }, "fs_read")).toBe(2);
		expect(Capabilities.frontMatterValue({ "allowed-tools": "Read" }, "allowed-tools")).toBe("Read");
	});

	it("falls back for null and for what is only inherited, not for false and 0", () => {
		expect(Capabilities.frontMatterValue({ network: null }, "network", "x")).toBe("x");
		expect(Capabilities.frontMatterValue({ network: false }, "network", "x")).toBe(false);
		expect(Capabilities.frontMatterValue({ timeout: 0 }, "timeout", 60)).toBe(0);
		expect(Capabilities.frontMatterValue({}, "constructor", "x")).toBe("x");
		expect(Capabilities.frontMatterValue(null, "network", "x")).toBe("x");
	});
});

describe("Capabilities.ceiling()", () => {
	afterEach(() => {
		reloadConfig();
	});

	it("is reading the working directory when there is no sandbox section", () => {
		expect(values(Capabilities.ceiling())).toEqual({ ...DEFAULTS, fsRead: ["."] });
	});

	it("is the sandbox section of the configuration, which has no trust", () => {
		configure({ sandbox: { fsRead: ["/a"], fsWrite: ["/b"], network: true, timeout: 7, limits: { processes: 9 } } });
		expect(values(Capabilities.ceiling())).toEqual({
			fsRead: ["/a"],
			fsWrite: ["/b"],
			network: true,
			timeout: 7,
			trust: "external",
			limits: { processes: 9 },
		});
	});

	it("takes nothing of the settings about trust and the environment, not even from a configuration that names a trust", () => {
		configure({ sandbox: { trustCore: ["/"], env: "scrub", envPass: ["CI"] } });
		expect(values(Capabilities.ceiling())).toEqual({ ...DEFAULTS, fsRead: ["."] });
		expect(Capabilities.ceiling({ sandbox: { trust: "core" } } as unknown as Config).trust).toBe("external");
	});

	it("takes a configuration of the caller's", () => {
		expect(Capabilities.ceiling({ sandbox: { fsRead: ["/x"] } } as unknown as Config).fsRead).toEqual(["/x"]);
	});
});

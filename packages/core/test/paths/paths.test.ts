import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { expandPath, isAtOrBelow, realPath, segmentsOf } from "../../src/paths/index.js";

const root = realpathSync.native(mkdtempSync(join(tmpdir(), "robot-lab-paths-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (...names: string[]): string => join(root, ...names);

mkdirSync(at("inside", "deep"), { recursive: true });
mkdirSync(at("outside", "secret"), { recursive: true });
writeFileSync(at("outside", "file"), "");
symlinkSync(at("outside"), at("inside", "link"));
symlinkSync(at("outside", "secret"), at("inside", "far"));
symlinkSync(at("outside", "later"), at("inside", "dangling"));
symlinkSync("../outside/later", at("inside", "relative-dangling"));
symlinkSync("loop-b", at("inside", "loop-a"));
symlinkSync("loop-a", at("inside", "loop-b"));

describe("expandPath()", () => {
	const context = { home: "/home/me", cwd: "/work" };

	it.each([
		["~", "/home/me"],
		["~/x", "/home/me/x"],
		["~//x/", "/home/me/x"],
		["~/../x", "/home/x"],
		["~bob/x", "/work/~bob/x"],
		["a/~", "/work/a/~"],
		[".", "/work"],
		["", "/work"],
		["a/./b/../c/", "/work/a/c"],
		["/a/b/", "/a/b"],
		["/..", "/"],
	])("reads %j as %j", (path, expected) => {
		expect(expandPath(path, context)).toBe(expected);
	});

	it("takes home and working directory from the host when none are given", () => {
		expect(expandPath("~/x")).toBe(join(homedir(), "x"));
		expect(expandPath("x")).toBe(join(process.cwd(), "x"));
	});

	it("refuses to expand ~ to a home directory that is not absolute", () => {
		expect(() => expandPath("~/x", { home: "" })).toThrow(/HOME/);
	});

	it.skipIf(process.platform === "win32")("leaves a backslash in a name alone where it is no separator", () => {
		expect(expandPath("~\\x", context)).toBe("/work/~\\x");
	});
});

describe("realPath()", () => {
	it("resolves a link in the existing part and keeps the missing tail", () => {
		expect(realPath(at("inside", "link", "new", "file"))).toBe(at("outside", "new", "file"));
	});

	it("follows .. behind a link the way the kernel does, not by spelling", () => {
		expect(realPath(`${at("inside", "far")}/..`)).toBe(at("outside"));
		expect(expandPath(`${at("inside", "far")}/..`)).toBe(at("inside"));
	});

	it("follows .. behind a link before a missing tail", () => {
		expect(realPath(`${at("inside", "far")}/../new`)).toBe(at("outside", "new"));
	});

	it.each(["dangling", "relative-dangling"])("resolves a link to something that does not exist yet (%s)", (name) => {
		expect(realPath(at("inside", name))).toBe(at("outside", "later"));
		expect(realPath(at("inside", name, "below"))).toBe(at("outside", "later", "below"));
	});

	it("drops trailing slashes and dots", () => {
		expect(realPath(`${at("inside")}///`)).toBe(at("inside"));
		expect(realPath(`${at("inside")}/./deep/.`)).toBe(at("inside", "deep"));
		expect(realPath(`${at("inside")}/new/./`)).toBe(at("inside", "new"));
		expect(realPath(`${at("outside", "file")}/`)).toBe(at("outside", "file"));
	});

	it("keeps a path below a plain file as it is spelt, since nothing can ever be there", () => {
		expect(realPath(at("outside", "file", "x"))).toBe(at("outside", "file", "x"));
	});

	it("throws where nobody can tell where the path leads", () => {
		expect(() => realPath(at("inside", "loop-a"))).toThrow(/ELOOP/);
		expect(() => realPath(at("inside", "loop-a", "x"))).toThrow(/ELOOP/);
		expect(() => realPath(`${at("inside", "missing")}/../x`)).toThrow(/ENOENT/);
		expect(() => realPath(at("inside", "x".repeat(5_000)))).toThrow(/ENAMETOOLONG/);
	});

	it("expands ~ and relative paths first", () => {
		expect(realPath("~/new", { home: at("inside", "link") })).toBe(at("outside", "new"));
		expect(realPath("link/new", { cwd: at("inside") })).toBe(at("outside", "new"));
		expect(realPath("/")).toBe("/");
	});
});

describe("isAtOrBelow()", () => {
	it.each([
		["/a", "/a", true],
		["/a/", "/a", true],
		["/a/b", "/a", true],
		["/a/b", "/a/", true],
		["/ab", "/a", false],
		["/a", "/a/b", false],
		["/a", "/", true],
		["/", "/", true],
		["/", "/a", false],
		["a/b", "/a", false],
		["/a/../etc", "/a", false],
		["/a", "/a/..", false],
		["/A", "/a", false],
		["/a//b/./c", "/a/b", true],
	])("%j below %j: %j", (path, ancestor, expected) => {
		expect(isAtOrBelow(path, ancestor)).toBe(expected);
	});

	const segment = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => !/[/\\\0]/.test(text) && text !== "." && text !== "..");
	const segments = fc.array(segment, { maxLength: 5 });

	it("holds for every path made by adding names to a root, and for no path made by lengthening its last name", () => {
		fc.assert(
			fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), segments, segment, (base, more, suffix) => {
				const ancestor = `/${base.join("/")}`;
				expect(isAtOrBelow([ancestor, ...more].join("/"), ancestor)).toBe(true);
				expect(isAtOrBelow(ancestor + suffix, ancestor)).toBe(false);
			}),
		);
	});

	it("answers the same however a path is spelt", () => {
		const path = fc
			.array(fc.constantFrom("a", "b", "..", "a.", ".a", "a..", "...", "b\\c"), { maxLength: 4 })
			.map((names) => `/${names.join("/")}`);
		const odd = fc.constantFrom("/", "/.", "//", "/./");
		fc.assert(
			fc.property(path, path, odd, odd, (one, other, end, otherEnd) => {
				const expected = isAtOrBelow(`${one}${end}`, `${other}${otherEnd}`);
				expect(isAtOrBelow(one, other)).toBe(expected);
				expect(isAtOrBelow(one, `${other}${otherEnd}`)).toBe(expected);
				expect(isAtOrBelow(`${one}${end}`, other)).toBe(expected);
			}),
			{ numRuns: 2000 },
		);
	});

	it("segmentsOf() gives the names back that a path was joined from", () => {
		fc.assert(
			fc.property(segments, (names) => {
				expect(segmentsOf(`/${names.join("/")}`)).toEqual(names);
			}),
		);
	});
});

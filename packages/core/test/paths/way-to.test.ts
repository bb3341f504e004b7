import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { realPath } from "../../src/paths/real-path.js";
import { wayTo } from "../../src/paths/way-to.js";

const root = realpathSync.native(mkdtempSync(join(tmpdir(), "robot-lab-way-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (...names: string[]): string => join(root, ...names);

mkdirSync(at("a/b"), { recursive: true });
writeFileSync(at("a/file"), "");
symlinkSync("a", at("relative"));
symlinkSync(at("relative/b"), at("absolute"));
symlinkSync("../..", at("a/b/up"));
symlinkSync("missing/x", at("dangling"));
symlinkSync("loop-b", at("loop-a"));
symlinkSync("loop-a", at("loop-b"));

const stepsOf = (path: string): readonly string[] =>
	wayTo(path)
		.steps.map(({ path }) => path)
		.filter((step) => step.startsWith(`${root}/`))
		.map((step) => step.slice(root.length + 1));

describe.skipIf(process.platform === "win32")("wayTo()", () => {
	it("has every link and every name behind it, in the order in which they are looked up", () => {
		expect(wayTo(at("a/b")).steps[0]?.path).toBe("/");
		expect(stepsOf(at("a/b"))).toEqual(["a", "a/b"]);
		expect(stepsOf(at("absolute"))).toEqual(["absolute", "relative", "a", "a/b"]);
		expect(stepsOf(`${root}//a/./b/../b/`)).toEqual(["a", "a/b", "a/b"]);
		expect(stepsOf(at("relative/b/up/a/file"))).toEqual(["relative", "a", "a/b", "a/b/up", "a", "a/file"]);
		expect(stepsOf(at("dangling"))).toEqual(["dangling", "missing"]);
		expect(stepsOf(`${root}/a/file/x`)).toEqual(["a", "a/file"]);
	});

	it("ends where the system says that it leads", () => {
		for (const name of ["a", "absolute", "relative/b/up", "a/b/up/absolute/../file", "absolute/../b/up/../x"]) {
			const path = `${root}/${name}`;
			expect(wayTo(path).end.path).toBe(realPath(path));
		}
		expect(wayTo("/..").end.path).toBe("/");
	});

	it("follows no loop of links for ever", () => {
		expect(() => wayTo(at("loop-a"))).toThrow(expect.objectContaining({ code: "ELOOP" }));
	});
});

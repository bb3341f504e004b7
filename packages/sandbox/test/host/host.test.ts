import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { crossedLinks } from "../../src/host/crossed-links.js";
import { findInterpreters } from "../../src/host/find-interpreters.js";
import { interpreterNeeds, knownPlaces } from "../../src/host/interpreter-roots.js";
import { gatherHostFacts } from "../../src/seatbelt/gather-host-facts.js";
import { macPath } from "../../src/seatbelt/mac-path.js";
import { put, workshop } from "../support/workshop.js";

const HOME = "/Users/u";
const needsOf = (path: string, host: Record<string, string> = {}) => interpreterNeeds(path, knownPlaces(HOME, host));

describe("interpreterNeeds()", () => {
	it.each([
		"/bin/bash",
		"/usr/bin/env",
		"/usr/libexec/x",
		"/System/Library/Frameworks/Ruby.framework/Versions/2.6/usr/bin/ruby",
		"/Library/Developer/CommandLineTools/usr/bin/python3",
	])("is nothing for %s, which the system has", (path) => {
		expect(needsOf(path)).toEqual({ roots: [], links: [], lone: false });
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
		["/Library/Frameworks/Python.framework/Versions/3.12/bin/python3.12", "/Library/Frameworks/Python.framework/Versions/3.12"],
		["/usr/local/lib/node_modules/npm/bin/npm-cli.js", "/usr/local/lib/node_modules/npm"],
		["/nix/store/abc-python3/bin/python3", "/nix/store"],
	])("is the directory of the version for %s", (path, root) => {
		expect(needsOf(path)).toEqual({ roots: [root], links: [], lone: false });
	});

	it("is the parts of a conda installation, not the environments in it", () => {
		expect(needsOf("/opt/conda/bin/python3.12").roots).toEqual(["bin", "lib", "share", "ssl"].map((name) => `/opt/conda/${name}`));
	});

	it("follows the host's own variables to a version manager, if they name a place", () => {
		const path = "/Volumes/tools/nvm/versions/node/v24.1.0/bin/node";
		expect(needsOf(path).lone).toBe(true);
		expect(needsOf(path, { NVM_DIR: "/Volumes/tools/nvm" }).roots).toEqual(["/Volumes/tools/nvm/versions/node/v24.1.0"]);
		expect(needsOf(path, { NVM_DIR: "Volumes/tools/nvm" }).lone).toBe(true);
	});

	/** Names that a version manager would give, where no version manager is; a whole program's directory; a package of the user's. */
	it.each([
		"/opt/acme/secret-suite/bin/run",
		"/opt/acme/bin/python3.12",
		`${HOME}/work/app/node_modules/private-pkg/cli.js`,
		`${HOME}/work/app/node_modules/@acme/private/bin/cli.js`,
		`${HOME}/project/node_modules/node/bin/node`,
		`${HOME}/work/versions/node/v1/bin/node`,
		`${HOME}/work/.nvm/versions/node/v1/bin/node`,
		`${HOME}/work/.pyenv/versions/3.12.4/bin/python3`,
		`${HOME}/work/uv/python/secret/run`,
		`${HOME}/work/miniconda3/envs/x/bin/python`,
		`${HOME}/work/shims/run`,
		`${HOME}/work/Cellar/a/1/bin/run`,
		`${HOME}/.nvm/versions/node/run`,
		`${HOME}/.nvm/private/run`,
		`${HOME}/.local/share/uv/python/mine/run`,
		`${HOME}/miniconda3/private/run`,
		`${HOME}/bin/python3`,
		`${HOME}/.local/bin/node`,
		`${HOME}/tool`,
		"/bin-like/node",
		"/usr/local/bin/node",
		"/usr/local/bin/anything",
		"/usr/local/lib/node_modules/npm-private/cli.js",
		"/usr/local/lib/node_modules/private/cli.js",
		"/Library/Frameworks/Acme.framework/Versions/A/bin/run",
		"/nix/storehouse/run",
	])("is the file alone for %s", (path) => {
		expect(needsOf(path)).toEqual({ roots: [path], links: [], lone: true });
	});

	it("never holds the home directory, whatever a variable says", () => {
		const home = "/Users/cpython-u";
		const places = knownPlaces(home, { UV_PYTHON_INSTALL_DIR: "/Users", NVM_DIR: "/", RUNNER_TOOL_CACHE: "/" });
		expect(interpreterNeeds(`${home}/bin/python`, places)).toEqual({ roots: [`${home}/bin/python`], links: [], lone: true });
	});

	it("is what the interpreter of /usr/local is made of, and nothing else that lies there", () => {
		expect(needsOf("/usr/local/bin/python3.12").roots).toEqual([
			"/usr/local/bin/python3.12",
			"/usr/local/lib/python3.12",
			"/usr/local/lib/libpython3.12.dylib",
		]);
	});
});

describe("interpreterNeeds() with Homebrew", () => {
	function brew() {
		const prefix = workshop();
		const keg = (formula: string, version: string, needs: readonly unknown[] = []): string => {
			const root = join(prefix, "Cellar", formula, version);
			put(join(root, "INSTALL_RECEIPT.json"), JSON.stringify({ runtime_dependencies: needs }));
			mkdirSync(join(prefix, "opt"), { recursive: true });
			symlinkSync(`../Cellar/${formula}/${version}`, join(prefix, "opt", formula));
			return root;
		};
		return { prefix, keg, needs: (path: string) => needsOf(path, { HOMEBREW_PREFIX: prefix }) };
	}

	it("is the formula's version, and the versions of what it depends on, through their links", () => {
		const { prefix, keg, needs } = brew();
		const python = keg("python@3.12", "3.12.4", [{ full_name: "openssl@3" }, { full_name: "acme/tap/xz" }, { full_name: "gone" }]);
		const ssl = keg("openssl@3", "3.3.1");
		const xz = keg("xz", "5.6.2");
		keg("acme-secrets", "1.0");
		const { roots, links, lone } = needs(join(python, "Frameworks/Python.framework/Versions/3.12/bin/python3.12"));
		expect(new Set(roots)).toEqual(
			new Set([
				python,
				ssl,
				xz,
				join(prefix, "lib/python3.12"),
				...["openssl.cnf", "cert.pem", "certs"].map((name) => join(prefix, "etc/openssl@3", name)),
			]),
		);
		expect(links).toEqual(["python@3.12", "openssl@3", "xz", "gone"].map((name) => join(prefix, "opt", name)));
		expect(lone).toBe(false);
	});

	it("takes nothing from a receipt but names of formulae that are links into the Cellar", () => {
		const { prefix, keg, needs } = brew();
		const hostile = ["..", "../..", "../../Users/u", "a/../..", "", ".ssh", "-x", "elsewhere", 7, null].map((full_name) => ({ full_name }));
		const root = keg("tool", "1.0", [...hostile, null, "text", ["x"]]);
		symlinkSync(workshop(), join(prefix, "opt/elsewhere"));
		const { roots, links } = needs(join(root, "bin/tool"));
		expect(roots).toEqual([root]);
		for (const link of links) expect(link.slice(prefix.length)).toMatch(/^\/opt\/[A-Za-z0-9]+$/);
	});

	it.each(["", "{", "[]", "null", '{"runtime_dependencies": {}}'])("is the version alone with the receipt %j", (receipt) => {
		const { keg, needs } = brew();
		const root = keg("tool", "1.0");
		put(join(root, "INSTALL_RECEIPT.json"), receipt);
		expect(needs(join(root, "bin/tool")).roots).toEqual([root]);
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
		const found = find([tool], directory);
		expect(found.roots).toEqual([tool, join(directory, ".nvm/versions/node/v1.0.0")]);
		expect(found.lone).toEqual([tool]);
	});

	it("finds the version behind a stand-in of pyenv's, and what the stand-in is made of", () => {
		const directory = workshop();
		const root = join(directory, ".pyenv");
		for (const name of ["3.11.7", "3.12.1"]) put(join(root, `versions/${name}/bin/python3`), "", 0o755);
		put(join(root, "versions/2.7.18/bin/python2"), "", 0o755);
		put(join(root, "shims/python3"), "#!/usr/bin/env bash\n", 0o755);
		mkdirSync(join(root, "versions/again/bin"), { recursive: true });
		symlinkSync(join(root, "shims/python3"), join(root, "versions/again/bin/python3"));
		const { roots } = find(["python3"], directory, `${join(root, "shims")}:/usr/bin:/bin`);
		expect(roots).toEqual(
			expect.arrayContaining(["libexec", "shims", "versions/3.11.7", "versions/3.12.1"].map((name) => join(root, name))),
		);
		expect(roots).not.toContain(join(root, "versions"));
		expect(roots).not.toContain(join(root, "versions/2.7.18"));
	});

	describe("with the environment of a python", () => {
		const project = () => {
			const directory = workshop();
			const root = join(directory, "p");
			put(join(root, "pyvenv.cfg"), "home = /usr/bin\n");
			put(join(root, "lib/python3.12/site-packages/x.py"), "");
			put(join(root, "lib/secrets/x"), "");
			mkdirSync(join(root, "bin"));
			symlinkSync(realpathSync("/bin/sh"), join(root, "bin/python3"));
			symlinkSync(directory, join(root, "lib/python3.99"));
			return { directory, root, program: join(root, "bin/python3") };
		};

		it("finds its parts where PATH leads to it, and not the project around them", () => {
			const { directory, root } = project();
			const { roots } = find(["python3"], directory, `${join(root, "bin")}:/usr/bin:/bin`);
			const within = roots.filter((path) => path.startsWith(directory));
			expect(within).toEqual([join(root, "pyvenv.cfg"), join(root, "lib/python3.12")]);
		});

		it("finds none of it where a script names it", () => {
			const { directory, program } = project();
			expect(find([program], directory).roots.filter((path) => path.startsWith(directory))).toEqual([]);
			expect(find(["env", program], directory).roots.filter((path) => path.startsWith(directory))).toEqual([]);
		});
	});

	it("finds nothing for what is missing, and comes to an end for a script that names itself", () => {
		const directory = workshop();
		expect(find(["no-such-program"], directory)).toEqual({ roots: [], links: [], lone: [] });
		expect(find([], directory)).toEqual({ roots: [], links: [], lone: [] });
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

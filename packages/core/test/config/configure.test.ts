import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ConfigChange } from "../../src/config/config.js";
import { config, configure, reloadConfig } from "../../src/config/configure.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";

afterEach(() => {
	reloadConfig();
});

const fromJavaScript =
	(change: unknown): (() => unknown) =>
	() =>
		configure(change as ConfigChange);

describe("config()", () => {
	// Pinned: people rely on the defaults. One may change with an entry in the changelog that says so.
	it("has these defaults, and no sandbox section", () => {
		expect(config()).toEqual({
			scripts: { cwd: "work", requireExecutable: true, maxModelBytes: 32_768, nested: false, pep723: "off" },
			skills: {
				roots: [join(homedir(), ".prompts/skills")],
				discover: false,
				validation: "lenient",
				activation: "both",
				topK: 3,
				candidates: 6,
				maxBytes: 65_536,
				grants: {},
			},
			templatePath: "prompts",
		});
	});

	it("completes the sandbox section as soon as one key of it is set", () => {
		configure({ sandbox: { enabled: true } });
		expect(config().sandbox).toEqual({
			enabled: true,
			fsRead: ["."],
			fsWrite: [],
			network: false,
			timeout: 60,
			backend: "auto",
			require: false,
			protect: true,
			trustCore: [join(homedir(), ".prompts/skills")],
			env: "keep",
			envPass: [],
			limits: {},
		});
	});

	it("is frozen to the bottom, and the same object until something changes", () => {
		configure({ sandbox: { fsRead: ["/a"], limits: { memoryMb: 64 } } });
		const { sandbox, scripts } = config();
		for (const part of [config(), scripts, sandbox, ...Object.values(sandbox ?? {})]) expect(Object.isFrozen(part)).toBe(true);
		expect(config()).toBe(config());
	});
});

describe("configure()", () => {
	it("takes a function that edits a draft, with the sections there", () => {
		configure((draft) => {
			draft.sandbox.enabled = true;
			draft.model = "openai/gpt-5";
		});
		configure((draft) => {
			draft.sandbox.fsRead = [...(draft.sandbox.fsRead ?? []), "/data"];
		});
		expect(config()).toMatchObject({ model: "openai/gpt-5", sandbox: { enabled: true, fsRead: ["/data"] } });
	});

	it("merges an object section by section, replaces lists, and leaves alone what has no value", () => {
		configure({ sandbox: { enabled: true, fsRead: ["/a", "/b"] } });
		configure({ sandbox: { fsRead: ["/c"], network: undefined }, scripts: { cwd: "skill" } });
		expect(config()).toMatchObject({ sandbox: { enabled: true, fsRead: ["/c"] }, scripts: { cwd: "skill" } });
	});

	it("does not make a sandbox section out of nothing", () => {
		configure(() => {});
		configure({ sandbox: {} });
		expect(config().sandbox).toBeUndefined();
	});

	it("takes no hold of the caller's lists and leaves an earlier configuration as it was", () => {
		const fsRead = ["/a"];
		const earlier = configure({ sandbox: { fsRead } });
		fsRead.push("/etc");
		expect(config().sandbox?.fsRead).toEqual(["/a"]);
		configure({ sandbox: { fsRead: ["/b"] } });
		expect(earlier.sandbox?.fsRead).toEqual(["/a"]);
	});

	it.each([
		[{ sandbox: { enabled: "true" } }, /sandbox\.enabled must be true or false, not "true"/],
		[{ sandbox: { enabled: 1 } }, /sandbox\.enabled/],
		[{ sandbox: { network: "yes" } }, /sandbox\.network/],
		[{ sandbox: { timeout: 0 } }, /sandbox\.timeout must be a whole number of seconds, 1 to 2147483, not 0/],
		[{ sandbox: { timeout: "abc" } }, /sandbox\.timeout .* not "abc"/],
		[{ sandbox: { timeout: 1.5 } }, /sandbox\.timeout/],
		[{ sandbox: { timeout: 1e12 } }, /sandbox\.timeout/],
		[{ sandbox: { timeout: null } }, /sandbox\.timeout .* not null/],
		[{ sandbox: { fsRead: "." } }, /sandbox\.fsRead must be a list of paths/],
		[{ sandbox: { fsWrite: ["/a", 3] } }, /sandbox\.fsWrite/],
		[{ sandbox: { fsWrite: [""] } }, /sandbox\.fsWrite/],
		[{ sandbox: { fsWrite: ["/a", ""] } }, 'configure: sandbox.fsWrite must hold only paths, not "".'],
		[{ sandbox: { fsWrite: new Array(1) } }, "sandbox.fsWrite must hold only paths, not undefined"],
		[{ sandbox: { trustCore: "~/skills" } }, /sandbox\.trustCore must be a list of paths, not "~\/skills"/],
		[{ sandbox: { trustCore: [""] } }, /sandbox\.trustCore must hold only paths, not ""/],
		[{ sandbox: { trust: "core" } }, /no setting sandbox\.trust\./],
		[{ sandbox: { env: "clear" } }, /sandbox\.env must be one of keep, scrub, not "clear"/],
		[{ sandbox: { envPass: "CI" } }, /sandbox\.envPass must be a list of names of environment variables, not "CI"/],
		...["A=B", "A\0B", "", "AWS_*", "A?", "$HOME", "A B", "A\n", 3, null].map((name): [object, RegExp] => [
			{ sandbox: { envPass: ["CI", name] } },
			/sandbox\.envPass must hold only exact names of environment variables, not ("|3|null)/,
		]),
		...[
			"MAKEFILES",
			"CORECLR_PROFILER_PATH_64",
			"npm_config_node_options",
			"LD_PRELOAD",
			"DYLD_INSERT_LIBRARIES",
			"NODE_OPTIONS",
			"BASH_ENV",
			"GIT_SSH_COMMAND",
			"PYTHONPATH",
			"SSH_AUTH_SOCK",
		].map((name): [object, string] => [
			{ sandbox: { envPass: ["CI", name] } },
			`configure: sandbox.envPass must hold only variables that neither load code into programs nor lead to an agent, not "${name}".`,
		]),
		[{ sandbox: { backend: "docker" } }, /sandbox\.backend must be one of auto, seatbelt, bubblewrap, none/],
		[{ sandbox: { limits: { memoryMb: -1 } } }, /sandbox\.limits\.memoryMb/],
		[{ sandbox: { fs_read: ["."] } }, /no setting sandbox\.fs_read.*fsRead/],
		[{ sandbox: true }, /sandbox must be an object/],
		[{ sandbox: null }, /sandbox must be an object of settings, not null/],
		[{ scripts: { cwd: "/tmp" } }, /scripts\.cwd must be one of work, skill/],
		[{ scripts: { maxModelBytes: 0 } }, /scripts\.maxModelBytes/],
		[{ model: " " }, /model must be/],
		[{ sandboxes: {} }, /no setting sandboxes\. Settings of the top level: sandbox, scripts, skills, model/],
		[JSON.parse('{"__proto__": {"sandbox": {}}}'), /no setting __proto__/],
		[{ constructor: {} }, /no setting constructor/],
		[null, /the change must be an object/],
		["sandbox", /the change must be an object/],
	])("refuses %j and changes nothing", (change, message) => {
		configure({ sandbox: { enabled: true, timeout: 5 } });
		const before = config();
		expect(fromJavaScript(change)).toThrow(message);
		expect(fromJavaScript(change)).toThrow(ConfigurationError);
		expect(config()).toBe(before);
	});

	it("takes names of variables that are odd or secret, for the host has named them", () => {
		const envPass = ["DEPLOY_TOKEN", "npm_config_x-y", "ProgramFiles(x86)", "a.b", "_", "__proto__", "LD", "GITHUB_REF"];
		expect(configure({ sandbox: { envPass } }).sandbox?.envPass).toEqual(envPass);
	});

	it("changes nothing when one of several values is wrong, or the function throws", () => {
		const before = config();
		expect(fromJavaScript({ sandbox: { enabled: true, timeout: 0 } })).toThrow(ConfigurationError);
		expect(() =>
			configure((draft) => {
				draft.sandbox.enabled = true;
				throw new Error("changed my mind");
			}),
		).toThrow("changed my mind");
		expect(config()).toBe(before);
	});

	it("refuses an async function, whose later changes would be lost", () => {
		expect(() =>
			configure(async (draft) => {
				await undefined;
				draft.sandbox.enabled = true;
			}),
		).toThrow(/must not be async/);
		expect(config().sandbox).toBeUndefined();
	});

	it("is seen by a second copy of the package", async () => {
		const url = new URL("../../src/config/configure.ts?copy=2", import.meta.url).href;
		const copy: typeof import("../../src/config/configure.js") = await import(/* @vite-ignore */ url);
		expect(copy.config).not.toBe(config);
		copy.configure({ sandbox: { enabled: true } });
		expect(config().sandbox?.enabled).toBe(true);
	});
});

describe("reloadConfig()", () => {
	it("goes back to the defaults", () => {
		configure({ sandbox: { enabled: true } });
		expect(reloadConfig()).toEqual(config());
		expect(config().sandbox).toBeUndefined();
	});
});

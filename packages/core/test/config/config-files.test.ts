import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { Places } from "./places.js";

/** What loading says when the user's file holds this. */
function complaint(text: string | Uint8Array): string {
	const places = new Places();
	places.write(places.userFile, text);
	return complaintOf(places).replaceAll(places.userFile, "FILE");
}

function complaintOf(places: Places): string {
	try {
		places.load();
	} catch (error) {
		expect(ConfigurationError.isInstance(error)).toBe(true);
		return (error as Error).message;
	}
	return "none";
}

describe("which files are read", () => {
	it("config.yml and robot_lab.yml in ~/.config/robot_lab, and config/robot_lab.yml in the working directory", () => {
		const places = new Places();
		expect(places.load().files.map(({ path, layer, state }) => [path.slice(places.home.length), layer, state])).toEqual([
			["/.config/robot_lab/config.yml", "user", "absent"],
			["/.config/robot_lab/robot_lab.yml", "user", "absent"],
			["/work/cloned/config/robot_lab.yml", "project", "absent"],
		]);
		places.write(places.userFile, "model: a/b");
		places.write(places.projectFile, "scripts: { cwd: skill }");
		expect(places.config()).toMatchObject({ model: "a/b", scripts: { cwd: "skill" } });
		expect(places.load().files.map(({ state }) => state)).toEqual(["read", "absent", "read"]);
	});

	it("those of XDG_CONFIG_HOME instead, if it is absolute", () => {
		const places = new Places();
		places.write(places.userFile, "model: home/model");
		places.write(join(places.home, "xdg/robot_lab/robot_lab.yml"), "model: xdg/model");
		expect(places.config({ XDG_CONFIG_HOME: join(places.home, "xdg") }).model).toBe("xdg/model");
		expect(places.config({ XDG_CONFIG_HOME: "xdg" }).model).toBe("home/model");
		expect(places.config({ XDG_CONFIG_HOME: "" }).model).toBe("home/model");
	});

	it("not those of the user in the environment test, and nothing of a directory above", () => {
		const places = new Places();
		places.write(places.userFile, "model: [wrong");
		places.write(join(places.home, "work/config/robot_lab.yml"), "model: above/model");
		places.write(places.projectFile, "test: { model: test/model }\nmodel: other/model");
		const { files } = places.load({ NODE_ENV: "test" });
		expect(files.map(({ state }) => state)).toEqual(["skipped", "skipped", "read"]);
		expect(places.config({ NODE_ENV: "test" }).model).toBe("test/model");
		expect(() => places.load({ NODE_ENV: "test", ROBOT_LAB_ENV: "production" })).toThrow(ConfigurationError);
	});

	it("a directory there, a FIFO, a device, a link to nothing and what may not be read are errors that name it", () => {
		const at = (make: (path: string) => void): string => {
			const places = new Places();
			rmSync(join(places.project, "config"), { recursive: true });
			mkdirSync(join(places.project, "config"));
			make(places.projectFile);
			return complaintOf(places).replaceAll(places.projectFile, "FILE");
		};
		expect(at((path) => mkdirSync(path))).toBe("The configuration file FILE is a directory. Put a YAML file there or remove it.");
		// one that is waited for would never be read to its end
		expect(at((path) => execFileSync("mkfifo", [path]))).toContain("FILE is no regular file");
		expect(at((path) => symlinkSync("/dev/zero", path))).toContain("FILE is no regular file");
		expect(at((path) => symlinkSync("nowhere", path))).toContain("FILE is a link to something that is not there");
		expect(at((path) => symlinkSync("robot_lab.yml", path))).toContain("FILE cannot be read (ELOOP). Check the permissions");
		expect(at((path) => symlinkSync("/proc/self/mem", path))).toMatch(process.platform === "linux" ? /FILE cannot be read/ : /./);
	});

	it("sandbox.trust_core takes no relative path in a variable either", () => {
		expect(() => new Places().load({ ROBOT_LAB_SANDBOX__TRUST_CORE: "~/skills,skills" })).toThrow(
			'ROBOT_LAB_SANDBOX__TRUST_CORE: sandbox.trust_core must hold only absolute paths or such that begin with ~/, not "skills". Correct it there.',
		);
	});

	it("is nothing where there is neither a home directory nor a working directory", async () => {
		const { loadConfig } = await import("../../src/config/load-config.js");
		expect(loadConfig({ variables: {} })).toMatchObject({ files: [], written: {}, environment: "development" });
	});
});

describe("what a file may hold", () => {
	it.each([
		"",
		"# nothing\n",
		"---\n",
		"null",
		"~\n",
		"{}",
		"sandbox:\n",
		"sandbox:\n  limits:\n  timeout:\n",
		"model: ~",
		"\uFEFFscripts: {}\n",
		"production:\n",
	])("%j sets nothing", (text) => {
		const places = new Places();
		places.write(places.userFile, text);
		expect(places.load()).toMatchObject({ written: {}, notices: [] });
	});

	it("every setting there is", () => {
		const places = new Places();
		places.write(
			places.userFile,
			`
model: openai/gpt-5
trusted_projects: [/srv/app, "~/work/mine"]
scripts: { cwd: skill, require_executable: false, max_model_bytes: 4096 }
sandbox:
  enabled: true
  fs_read: [".", "~/data"]
  fs_write: [./out]
  network: true
  timeout: 120
  backend: none
  require: false
  protect: true
  trust_core: ["~/skills"]
  env: scrub
  env_pass: [CI]
  limits: { memory_mb: 1, processes: 2, file_size_mb: 3, cpu_seconds: 4, output_bytes: 5 }
`,
		);
		const { written, notices, origins } = places.load();
		expect(notices).toEqual([]);
		expect(written).toEqual({
			model: "openai/gpt-5",
			scripts: { cwd: "skill", requireExecutable: false, maxModelBytes: 4096 },
			sandbox: {
				...{ enabled: true, fsRead: [".", "~/data"], fsWrite: ["./out"], network: true, timeout: 120, backend: "none", require: false },
				...{ protect: true, trustCore: ["~/skills"], env: "scrub", envPass: ["CI"] },
				limits: { memoryMb: 1, processes: 2, fileSizeMb: 3, cpuSeconds: 4, outputBytes: 5 },
			},
		});
		expect(origins.get("sandbox.limits.processes")).toEqual({ layer: "user", path: places.userFile, line: 17 });
	});

	it.each([
		["model: [a", /^FILE, line \d: is no valid YAML: .*Mend that line\.$/],
		["a: 1\nmodel: !!js/function 'x'", /^FILE, line 2: is no valid YAML: Unresolved tag: tag:yaml.org,2002:js\/function/],
		["model: !secret x", /^FILE, line 1: is no valid YAML/],
		["model: !!binary aGk=", /^FILE, line 1: is no valid YAML/],
		["model: a/b\nscripts: {}\nmodel: c/d", 'FILE, line 3: has the key "model" a second time. Take one of the two out.'],
		["sandbox:\n  timeout: 1\n  timeout: 2", 'FILE, line 3: has the key "timeout" a second time'],
		["zzz: 1\nzzz: 2", 'FILE, line 2: has the key "zzz" a second time'],
		["? [a]\n: 2", /^FILE, line 1: is no valid YAML/],
		["---\nmodel: a/b\n---\nmodel: c/d", /^FILE, line \d: is no valid YAML: .*multiple documents/],
		["- model", "FILE, line 1: the file must be a map of settings, not a list. Write it as name: value, one a line."],
		["offline", 'FILE, line 1: the file must be a map of settings, not "offline"'],
		["\nsandbox: true", "FILE, line 2: sandbox must be a map of settings, not true"],
		["sandbox:\n  limits: [1]", "FILE, line 2: sandbox.limits must be a map of settings, not a list"],
		["production: 3", "FILE, line 1: production must be a map of settings, not 3"],
		["sandbox:\n  enabled: yes", 'FILE, line 2: sandbox.enabled must be true or false, not "yes". Correct it there.'],
		["sandbox:\n  timeout: 1.5", "FILE, line 2: sandbox.timeout must be a whole number of seconds, 1 to 2147483, not 1.5"],
		["sandbox:\n  fs_read: .", 'FILE, line 2: sandbox.fs_read must be a list of paths, not "."'],
		["sandbox:\n  fs_read:\n    - a\n    - 3", "FILE, line 3: sandbox.fs_read must hold only paths, not 3"],
		["sandbox:\n  env_pass: [LD_PRELOAD]", /sandbox\.env_pass must hold only variables that neither load code/],
		[
			"sandbox: { trust_core: [skills] }",
			/FILE, line 1: sandbox\.trust_core must hold only absolute paths or such that begin with ~\/, not "skills"/,
		],
		["sandbox: { trust_core: [~root/skills] }", /must hold only absolute paths/],
		["model: { a: 1 }", "FILE, line 1: model must be a text that is not blank, not an object"],
		// sections of other environments are for another day, which is no day to find out
		["production:\n  sandbox: { timeout: 0 }", "FILE, line 2: sandbox.timeout must be a whole number"],
		["\nmodel: *nothing", "FILE, line 2: is an alias of nothing. Write the value itself."],
		[
			"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nsandbox: { fs_read: [*c,*c,*c] }",
			/^FILE cannot be read as YAML: Excessive alias count/,
		],
		["sandbox: { fs_read: &a [*a] }", /^FILE/],
		[`sandbox: { fs_read: ${"[".repeat(30_000)} }`, /^FILE/],
		[`${"x".repeat(65_537)}: 1`, "FILE is longer than 64 KiB. Take out of it what is no setting."],
		[Buffer.from("model: \xff", "latin1"), "FILE is no UTF-8 text. Save it as UTF-8."],
	])("%j is an error that names the line and what to do", (text, message) => {
		const said = complaint(text as string | Buffer);
		if (typeof message === "string") expect(said).toContain(message);
		else expect(said).toMatch(message);
	});

	it("takes sections that are aliases of each other, to no end", () => {
		const places = new Places();
		places.write(places.userFile, "sandbox: &s\n  timeout: 9\n  limits: *s\n");
		expect(places.config().sandbox?.timeout).toBe(9);
		expect(places.load().notices[0]).toContain("sandbox.limits.timeout");
	});

	// Each alias that is followed costs a walk through the whole file: followed, these would take longer than a test may.
	it("follows no aliases where nobody knows the setting", () => {
		const places = new Places();
		const names = Array.from({ length: 8000 }, (_, index) => index.toString(36).padStart(3, "_"));
		places.write(places.projectFile, `x: &x 1\n${names.map((name) => `${name}: *x`).join("\n")}`);
		expect(places.load().notices[0]).toContain("and 7991 more");
	});

	it("does not quote what stands in a line that is no YAML: it may be a secret", () => {
		const places = new Places();
		places.write(places.userFile, 'api_key: "sk-very-secret\n');
		const said = complaintOf(places);
		expect(said).toContain("is no valid YAML");
		expect(said).not.toContain("very-secret");
	});
});

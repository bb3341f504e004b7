import { Capabilities } from "@robot-lab/core";
import { describe, expect, it } from "vitest";
import { confinedEnvironment } from "../src/grant/environment.js";

const environment = (
	host: Record<string, string | undefined>,
	more: Partial<Parameters<typeof confinedEnvironment>[0]> = {},
): Readonly<Record<string, string>> =>
	confinedEnvironment({
		host,
		variables: {},
		grant: new Capabilities(),
		scratchDir: "/scratch",
		home: "/Users/u",
		platform: "darwin",
		...more,
	});

describe("confinedEnvironment()", () => {
	/** Pinned. A name may join it when a program needs it to start and nothing secret is ever in it. */
	it("hands over exactly this of a host that has everything", () => {
		const names = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "COLUMNS"];
		const everything = [
			...names,
			"PWD",
			"TMPDIR",
			"EDITOR",
			"XDG_CONFIG_HOME",
			"DISPLAY",
			"AWS_PROFILE",
			"http_proxy",
			"npm_config_x",
			"NODE_ENV",
			"RL_X",
		];
		const passed = environment(Object.fromEntries(everything.map((name) => [name, `host ${name}`])));
		expect(passed).toEqual({
			...Object.fromEntries(names.map((name) => [name, `host ${name}`])),
			TMPDIR: "/scratch",
			UV_CACHE_DIR: "/scratch/uv",
			GIT_CONFIG_GLOBAL: "/dev/null",
			GIT_CONFIG_NOSYSTEM: "1",
			DYLD_USE_DTRACE: "0",
			xcrun_nocache: "1",
		});
	});

	it.each(["ANTHROPIC_API_KEY", "GITHUB_TOKEN", "my_secret", "DB_PASSWORD", "AWS_CREDENTIALS", "LC_TOKEN", "LC_KEY"])(
		"never hands over the host's %s",
		(name) => {
			expect(environment({ [name]: "sesame" })).not.toHaveProperty(name);
		},
	);

	it.each([
		"BASH_ENV",
		"ENV",
		"SHELLOPTS",
		"BASHOPTS",
		"PS4",
		"BASH_FUNC_ls%%",
		"LD_PRELOAD",
		"LD_LIBRARY_PATH",
		"DYLD_INSERT_LIBRARIES",
		"NODE_OPTIONS",
		"PYTHONSTARTUP",
		"PYTHONPATH",
		"NODE_PATH",
		"PYTHONHOME",
		"PYTHONUSERBASE",
		"PYTHONWARNINGS",
		"PERL5LIB",
		"PERLLIB",
		"RUBYLIB",
		"GEM_PATH",
		"ZDOTDIR",
		"PROMPT_COMMAND",
		"JAVA_TOOL_OPTIONS",
		"_JAVA_OPTIONS",
		"CLASSPATH",
		"LUA_INIT",
		"LUA_INIT_5_4",
		"PHPRC",
		"R_PROFILE_USER",
		"DOTNET_STARTUP_HOOKS",
		"OPENSSL_CONF",
		"GCONV_PATH",
		"LESSOPEN",
		"SSH_ASKPASS",
		"RUBYOPT",
		"PERL5OPT",
		"GIT_SSH_COMMAND",
		"GIT_EXEC_PATH",
		"SSH_AUTH_SOCK",
	])("hands over %s from neither the host nor the caller", (name) => {
		expect(environment({ [name]: "x" }, { variables: { [name]: "x" } })).not.toHaveProperty([name]);
	});

	it.each([
		"PYTHONUNBUFFERED",
		"PYTHONIOENCODING",
		"NODE_ENV",
		"NODE_PATHS",
		"RUBY_VERSION",
		"LUA",
		"ENVIRONMENT",
		"MY_LD_PATH",
		"GITHUB_REF",
	])("hands over the caller's %s, which loads nothing", (name) => {
		expect(environment({}, { variables: { [name]: "x" } })).toHaveProperty([name], "x");
	});

	it("hands over what the host names exactly, a secret too, and nothing of a like name", () => {
		const host = { DEPLOY_TOKEN: "sesame", DEPLOY_TOKEN_2: "no", deploy_token: "no", CI: "1", __proto__x: "no", EDITOR: "no" };
		const passed = environment(host, { envPass: ["DEPLOY_TOKEN", "CI", "NOT_SET", "toString", "__proto__"] });
		expect(passed).toEqual({ ...environment({}), DEPLOY_TOKEN: "sesame", CI: "1" });
	});

	it("hands over no variable that loads code even if it is named, and no other temporary directory than the run's own", () => {
		const names = ["LD_PRELOAD", "NODE_OPTIONS", "SSH_AUTH_SOCK", "TMPDIR"];
		const host = Object.fromEntries(names.map((name) => [name, "x"]));
		expect(environment(host, { envPass: names })).toEqual(environment({}));
	});

	it("gives the caller's variables the last word over what the host names too", () => {
		expect(environment({ CI: "host" }, { envPass: ["CI"], variables: { CI: "caller" } })).toMatchObject({ CI: "caller" });
	});

	it("gives the caller's variables the last word", () => {
		const passed = environment({ LANG: "C", PATH: "/host" }, { variables: { LANG: "de_DE", TMPDIR: "/mine", API_KEY: "meant for it" } });
		expect(passed).toMatchObject({ LANG: "de_DE", PATH: "/host", TMPDIR: "/mine", API_KEY: "meant for it" });
	});

	it("has a PATH where the host has none", () => {
		expect(environment({}).PATH).toBe("/usr/bin:/bin:/usr/sbin:/sbin");
	});

	it("lets git read its settings where the grant covers them", () => {
		const grant = new Capabilities({ fsRead: ["/Users/u/.gitconfig", "/private/etc"] });
		const passed = environment({}, { grant });
		expect(passed).not.toHaveProperty("GIT_CONFIG_GLOBAL");
		expect(passed).not.toHaveProperty("GIT_CONFIG_NOSYSTEM");
	});

	it("sets what only macOS knows on macOS alone", () => {
		expect(environment({}, { platform: "linux" })).not.toHaveProperty("xcrun_nocache");
	});
});

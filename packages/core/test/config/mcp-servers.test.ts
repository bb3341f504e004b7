import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConfigChange } from "../../src/config/config.js";
import { configSources } from "../../src/config/config-sources.js";
import { config, configure, reloadConfig } from "../../src/config/configure.js";
import { MASKED } from "../../src/config/mask-secret.js";
import { ConfigurationError } from "../../src/errors/configuration-error.js";
import { RobotMcp } from "../../src/robot/robot-mcp.js";
import { hostile } from "../mcp/hostile.js";
import { Places } from "./places.js";

afterEach(() => {
	delete process.env.ROBOT_LAB_MCP_SERVERS;
	reloadConfig();
});

const SECRET = "sk-very-secret";

function loaded(text: string, variables: Readonly<Record<string, string>> = {}) {
	const places = new Places();
	places.write(places.userFile, text);
	return places.config(variables);
}

function refusal(attempt: () => unknown): string {
	try {
		attempt();
	} catch (error) {
		expect(ConfigurationError.isInstance(error)).toBe(true);
		return (error as Error).message;
	}
	return "none";
}

describe("mcp_servers", () => {
	it("is spelt in snake_case in files and variables, but for names that are somebody else's", () => {
		const text = `
mcp_servers:
  files:
    command: npx
    args: [-y, "@modelcontextprotocol/server-filesystem", .]
    env: { LOG_LEVEL: debug, camelCase: kept }
    env_pass: [FILES_TOKEN]
    cwd: /srv
    description: reads files
    timeout_ms: 5000
    connect_timeout_ms: 1000
  web: { url: "https://web.example/mcp", transport: sse, headers: { X-Api-Key: k } }
`;
		const servers = {
			files: {
				command: "npx",
				args: ["-y", "@modelcontextprotocol/server-filesystem", "."],
				env: { LOG_LEVEL: "debug", camelCase: "kept" },
				envPass: ["FILES_TOKEN"],
				cwd: "/srv",
				description: "reads files",
				timeoutMs: 5000,
				connectTimeoutMs: 1000,
			},
			web: { url: "https://web.example/mcp", transport: "sse", headers: { "X-Api-Key": "k" } },
		};
		expect(loaded(text).mcpServers).toEqual(servers);
		const variable = '{"files": {"command": "npx", "timeout_ms": 7}}';
		expect(loaded(text, { ROBOT_LAB_MCP_SERVERS: variable }).mcpServers).toEqual({ files: { command: "npx", timeoutMs: 7 } });
		expect(configure({ mcpServers: servers as never }).mcpServers).toEqual(servers);
	});

	it("is replaced whole by a later layer: nothing of a server is mixed with another's", () => {
		configure({ mcpServers: { a: { command: "a", env: { KEY: SECRET } }, b: { command: "b" } } });
		expect(configure({ mcpServers: { a: { url: "https://a.example" } } }).mcpServers).toEqual({ a: { url: "https://a.example" } });
		configure((draft) => {
			draft.mcpServers = { ...draft.mcpServers, b: { command: "b" } };
		});
		expect(Object.keys(config().mcpServers ?? {})).toEqual(["a", "b"]);
		configure({ mcpServers: {} });
		expect(config().mcpServers).toEqual({});
	});

	it("is a copy of its own, frozen to the bottom", () => {
		const args = ["a"];
		const url = new URL("https://a.example/mcp");
		const { mcpServers } = configure({ mcpServers: { it: { command: "x", args }, web: { url } } });
		args.push("b");
		url.pathname = "/other";
		expect(mcpServers).toEqual({ it: { command: "x", args: ["a"] }, web: { url: "https://a.example/mcp" } });
		const { it } = mcpServers as unknown as { readonly it: { readonly args: unknown } };
		for (const part of [mcpServers, it, it.args]) expect(Object.isFrozen(part)).toBe(true);
	});

	it.each([
		["[files]", "mcp_servers must be MCP servers by their names"],
		[SECRET, "mcp_servers must be MCP servers by their names"],
		[`{ files: ${SECRET} }`, "mcp_servers.files must be given as { command } or { url }"],
		["{ files: {} }", "mcp_servers.files needs either a command, to be started here, or the url at which it is reached"],
		[`{ "my files": { command: x } }`, 'mcp_servers."my files" cannot be the name of an MCP server: give 1 to 64 letters'],
		[
			"{ files: { command: x, timeout_ms: soon } }",
			"mcp_servers.files.timeout_ms must be a whole number of milliseconds from 1 to 2147483647",
		],
		["{ files: { command: x, timeoutMs: 5 } }", 'mcp_servers.files has an unknown option "timeoutMs". Did you mean "timeout_ms"?'],
		[`{ files: { command: x, env: { PORT: 80, KEY: ${SECRET} } } }`, "mcp_servers.files.env must be texts by their names"],
		[`{ files: { command: x, args: ${SECRET} } }`, "mcp_servers.files.args must be a list of texts"],
		[
			`{ web: { url: "https://user:${SECRET}@web.example" } }`,
			"mcp_servers.web.url must be an http: or https: address without a user name or password",
		],
		[`{ web: { url: x, headers: [${SECRET}] } }`, "mcp_servers.web.url must be"],
		["{ files: { command: ./server } }", "mcp_servers.files.command must be the name of a program or an absolute path"],
		["{ files: { command: ~/server } }", "mcp_servers.files.command must be the name of a program or an absolute path"],
	])("%s is an error that names the place in the file and shows no value", (value, message) => {
		const said = refusal(() => loaded(`\nmcp_servers: ${value}`));
		expect(said).toMatch(/config\.yml, line 2: /);
		expect(said).toContain(`: ${message}`);
		expect(said).not.toContain(SECRET);
	});

	it.each([
		[SECRET, "must be MCP servers by their names"],
		[`{"files": {"env": {"KEY": "${SECRET}"`, "must be MCP servers by their names"],
		[`{"files": {"command": "x", "env": "${SECRET}"}}`, ".files.env must be texts by their names"],
		['{"files": {"command": "bin/server"}}', ".files.command must be the name of a program or an absolute path"],
	])("%s is an error that names the variable and shows no value", (text, message) => {
		const said = refusal(() => loaded("", { ROBOT_LAB_MCP_SERVERS: text }));
		expect(said).toMatch(/^ROBOT_LAB_MCP_SERVERS: mcp_servers/);
		expect(said).toContain(message);
		expect(said).not.toContain(SECRET);
	});

	it.each([
		[{ it: { command: "x", timeout_ms: 5 } }, 'configure: mcpServers.it has an unknown option "timeout_ms". Did you mean "timeoutMs"?'],
		[{ it: { command: "x", timeoutMs: 0 } }, "configure: mcpServers.it.timeoutMs must be a whole number of milliseconds"],
		[new Map(), "configure: mcpServers must be MCP servers by their names"],
		[JSON.parse(`{"__proto__": "${SECRET}"}`), "configure: mcpServers.__proto__ must be given as { command } or { url }"],
		[null, "configure: mcpServers must be MCP servers by their names"],
	])("%j is an error of configure()", (mcpServers, message) => {
		const said = refusal(() => configure({ mcpServers } as ConfigChange));
		expect(said).toContain(message);
		expect(said).not.toContain(SECRET);
	});

	it("may hold a path from here in code, which knows where it is", () => {
		expect(configure({ mcpServers: { it: { command: "./server" } } }).mcpServers).toEqual({ it: { command: "./server" } });
	});

	it("is shown without what may be a key", () => {
		process.env.ROBOT_LAB_MCP_SERVERS = JSON.stringify({
			files: { command: "npx", args: ["--key", SECRET], env: { KEY: SECRET }, env_pass: ["FILES_TOKEN"], timeout_ms: 5 },
			path: { url: `https://web.example/mcp/${SECRET}`, headers: { authorization: `Bearer ${SECRET}` } },
			query: { url: `https://web.example/?key=${SECRET}` },
			plain: { url: "https://web.example" },
		});
		reloadConfig();
		const sources = configSources();
		expect(sources.settings.find(({ name }) => name === "mcp_servers")).toEqual({
			name: "mcp_servers",
			value: {
				files: { command: "npx", args: MASKED, env: MASKED, env_pass: ["FILES_TOKEN"], timeout_ms: 5 },
				path: { url: `https://web.example/${MASKED}`, headers: MASKED },
				query: { url: `https://web.example/${MASKED}` },
				plain: { url: "https://web.example" },
			},
			origin: { layer: "variable", variable: "ROBOT_LAB_MCP_SERVERS" },
		});
		expect(JSON.stringify(sources)).not.toContain(SECRET);
	});
});

describe.each(["mcp", "tools"] as const)("%s", (setting) => {
	it("is a word or a list of names, in files, variables and code", () => {
		const variable = `ROBOT_LAB_${setting.toUpperCase()}`;
		expect(loaded("")[setting]).toBeUndefined();
		for (const [text, value] of [
			["none", "none"],
			["inherit", "inherit"],
			["[a, b]", ["a", "b"]],
			["[]", []],
		] as const) {
			expect(loaded(`${setting}: ${text}`)[setting]).toEqual(value);
			expect(configure({ [setting]: value })[setting]).toEqual(value);
		}
		expect(loaded("", { [variable]: "none" })[setting]).toBe("none");
		expect(loaded(`${setting}: none`, { [variable]: "a, b" })[setting]).toEqual(["a", "b"]);
		expect(loaded("", { [variable]: "[]" })[setting]).toEqual([]);
		expect(Object.isFrozen(configure({ [setting]: ["a"] })[setting])).toBe(true);
	});

	it("takes nothing else", () => {
		expect(refusal(() => loaded(`${setting}: all`))).toContain(
			`line 1: ${setting} must be "inherit", "none" or a list of names, not "all"`,
		);
		expect(refusal(() => loaded(`${setting}: [a, a]`))).toContain(`line 1: ${setting} must hold only different names, not "a"`);
		expect(refusal(() => loaded(`${setting}: { a: { command: x } }`))).toContain("or a list of names, not an object");
		expect(refusal(() => loaded("", { [`ROBOT_LAB_${setting.toUpperCase()}`]: "a,none" }))).toContain(
			`${setting} must hold only names, not "none"`,
		);
		expect(refusal(() => configure({ [setting]: [7] } as never))).toBe(`configure: ${setting} must hold only names, not 7.`);
	});
});

describe("a project's file that defines a server", () => {
	/** Goes into the project as a user would, and asks for the tools of a robot that is given no servers. */
	async function toolsIn(places: Places): Promise<number> {
		const here = process.cwd();
		const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
		onTestFinished(() => {
			warned.mockRestore();
			process.chdir(here);
			reloadConfig();
		});
		process.chdir(places.project);
		reloadConfig();
		const { tools } = await new RobotMcp({ robotName: "helper" }).tools();
		warnings = warned.mock.calls.map(([message]) => String(message));
		return tools.length;
	}
	let warnings: readonly string[] = [];

	function cloned() {
		const places = new Places();
		const started = join(places.home, "started");
		const server = hostile("works", { env: { STARTS_FILE: started } });
		places.write(places.projectFile, JSON.stringify({ mcp_servers: { helpful: server }, mcp: ["helpful"] }));
		return { places, started };
	}

	it("starts no program, and the user is told", async () => {
		const { places, started } = cloned();
		expect(await toolsIn(places)).toBe(0);
		expect(existsSync(started)).toBe(false);
		expect(warnings).toEqual([expect.stringContaining("may only confine more: mcp_servers (line 1)")]);
	});

	it("starts it where the user trusts the project: the control", async () => {
		const { places, started } = cloned();
		process.env.ROBOT_LAB_TRUSTED_PROJECTS = places.project;
		onTestFinished(() => {
			delete process.env.ROBOT_LAB_TRUSTED_PROJECTS;
		});
		expect(await toolsIn(places)).toBe(2);
		expect(existsSync(started)).toBe(true);
		expect(warnings).toEqual([]);
	});
});

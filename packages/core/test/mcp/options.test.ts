import { describe, expect, it } from "vitest";
import { DependencyError } from "../../src/errors/dependency-error.js";
import { loadClient } from "../../src/mcp/load-client.js";
import { McpServers } from "../../src/mcp/mcp-servers.js";
import { serverEnvironment } from "../../src/mcp/server-environment.js";
import { connected, hostile } from "./hostile.js";

const refusalOf = (options: unknown, name = "it"): string => {
	try {
		new McpServers({ [name]: options as never });
		return "none";
	} catch (error) {
		return (error as Error).message;
	}
};

it("an option that nobody knows is named, and no server is asked", async () => {
	const servers = new McpServers({ it: { command: "there-is-none" } });
	for (const method of ["connect", "tools", "resources", "prompts"] as const) {
		await expect(servers[method]({ server: ["it"] } as object)).rejects.toThrow(
			`servers.${method}() knows no option "server". Did you mean "servers"?`,
		);
	}
	expect(servers.status()).toEqual([{ name: "it", state: "idle" }]);
});

describe("options that cannot be used are refused when they are given, by name", () => {
	it.each([
		[7, 'The MCP server "it" must be given as { command } or { url }.'],
		[{}, 'The MCP server "it" needs either a command, to be started here, or the url at which it is reached.'],
		[
			{ command: "x", url: "http://x" },
			'The MCP server "it" needs either a command, to be started here, or the url at which it is reached.',
		],
		[{ command: "x", arg: [] }, /unknown option "arg"\. Did you mean "args"\?/],
		[{ command: "" }, 'The MCP server "it": command must be a text.'],
		[{ command: "x", env: new Map([["A", "b"]]) }, 'The MCP server "it": env must be texts by their names.'],
		[{ command: "x", args: "y" }, 'The MCP server "it": args must be a list of texts.'],
		[{ command: "x", env: { A: 1 } }, 'The MCP server "it": env must be texts by their names.'],
		[{ url: "ftp://x" }, /url must be an http: or https: address/],
		[{ url: "http://user:pass@x" }, /url must be an http: or https: address without a user name or password/],
		[{ url: "http://x", transport: "ws" }, /transport must be "http" or "sse"/],
		[{ url: "http://x", timeoutMs: 0 }, /timeoutMs must be a whole number of milliseconds from 1 to 2147483647/],
		[{ url: "http://x", command: undefined, headers: { a: 1 } }, /needs either/],
	])("%j", (options, message) => {
		expect(refusalOf(options)).toMatch(message);
	});

	it("and so are names that no tool could carry", () => {
		expect(refusalOf({ command: "x" }, "my server")).toMatch(/^"my server" cannot be the name of an MCP server: give 1 to 64/);
	});

	it("and what is asked of a server that is not there", async () => {
		await expect(new McpServers({ files: { command: "x" } }).readResource("file", "a:b")).rejects.toThrow(
			'There is no MCP server "file". Did you mean "files"? There are: files.',
		);
	});
});

it("nothing is started before something is asked for", async () => {
	const servers = connected({ it: hostile("works") });
	expect(servers.status()).toEqual([{ name: "it", state: "idle" }]);
	await servers.disconnect();
	expect(servers.status()).toEqual([{ name: "it", state: "disconnected" }]);
	await expect(servers.tools()).rejects.toMatchObject({ code: "disconnected" });
});

it("only servers that a message is about are started", async () => {
	const servers = connected({
		files: hostile("works", { description: "reads files" }),
		weather: hostile("works", { description: "weather forecasts" }),
	});
	expect((await servers.tools({ about: "Will the weather hold?" })).map(({ server }) => server)).toEqual(["weather", "weather"]);
	expect(servers.status().map(({ state }) => state)).toEqual(["idle", "connected"]);
});

it("only servers that are named are started, and a name that none has is an error", async () => {
	const servers = connected({ one: hostile("works"), other: hostile("works"), gone: { command: "no-such-mcp-server" } });
	expect((await servers.tools({ servers: ["other"] })).map(({ server }) => server)).toEqual(["other", "other"]);
	await servers.connect({ servers: ["other"] });
	expect(servers.status().map(({ state }) => state)).toEqual(["idle", "connected", "idle"]);
	expect(await servers.tools({ servers: [] })).toEqual([]);
	await expect(servers.tools({ servers: ["othr"] })).rejects.toThrow('There is no MCP server "othr". Did you mean "other"?');
});

it("a package that is not installed is named with the command that installs it", async () => {
	const missing = loadClient(() => Promise.reject(new Error("Cannot find package '@modelcontextprotocol/client'")));
	const error = await missing.catch((reason: unknown) => reason);
	expect(DependencyError.isInstance(error)).toBe(true);
	expect(error).toMatchObject({
		dependency: "@modelcontextprotocol/client",
		message: expect.stringContaining("npm install @modelcontextprotocol/client"),
	});
});

it("the environment is what programs need and what was named, and what is given wins", () => {
	const host = { PATH: "/bin", HOME: "/h", LC_ALL: "C", OPENAI_API_KEY: "sk", NODE_OPTIONS: "-r x", LD_PRELOAD: "x", TOKEN: "t" };
	expect(serverEnvironment({ env: { HOME: "/other" }, envPass: ["TOKEN", "ABSENT"] }, host)).toEqual({
		PATH: "/bin",
		HOME: "/other",
		LC_ALL: "C",
		TOKEN: "t",
	});
	expect(serverEnvironment({}, host)).toEqual({ PATH: "/bin", HOME: "/h", LC_ALL: "C" });
});

import { isDeepStrictEqual } from "node:util";
import { afterEach, expect, it, vi } from "vitest";
import { configure, reloadConfig } from "../../src/config/configure.js";
import { configuredServers } from "../../src/mcp/configured-servers.js";

vi.mock("node:util", async (importOriginal) => {
	const real = await importOriginal<typeof import("node:util")>();
	return { ...real, isDeepStrictEqual: vi.fn(real.isDeepStrictEqual) };
});

afterEach(() => {
	reloadConfig();
	configuredServers();
});

it("configuredServers() compares servers once that another configuration names again", () => {
	configure({ mcpServers: { it: { command: "never-started" } } });
	const servers = configuredServers();
	configure({ mcpServers: { it: { command: "never-started" } } });
	vi.mocked(isDeepStrictEqual).mockClear();
	for (let asked = 0; asked < 5; asked++) expect(configuredServers()).toBe(servers);
	expect(vi.mocked(isDeepStrictEqual)).toHaveBeenCalledTimes(1);
	// the control
	configure({ mcpServers: { it: { command: "another" } } });
	expect(configuredServers()).not.toBe(servers);
});

import { createRequire } from "node:module";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { McpProgramOptions, McpServerOptions } from "../../src/config/mcp-server-options.js";
import { McpServers } from "../../src/mcp/mcp-servers.js";
import type { McpTool } from "../../src/mcp/remote-tool.js";
import type { ToolOutcome } from "../../src/tool/tool-outcome.js";

const FIXTURES = join(import.meta.dirname, "fixtures");

/** A server of the fixture that behaves so. */
export function hostile(behaviour: string, options: Partial<McpProgramOptions> = {}, marker?: string): McpProgramOptions {
	const args = [join(FIXTURES, "hostile-server.mjs"), behaviour, ...(marker === undefined ? [] : [marker])];
	return { command: process.execPath, args, ...options };
}

/** A server made by somebody else, from npm. */
export function fromNpm(name: string, args: readonly string[] = [], options: Partial<McpProgramOptions> = {}): McpProgramOptions {
	const entry = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/dist/index.js`);
	return { command: process.execPath, args: [entry, ...args], ...options };
}

/** Servers that are disconnected when the test is over. */
export function connected(servers: Readonly<Record<string, McpServerOptions>>): McpServers {
	const made = new McpServers(servers);
	onTestFinished(() => made.disconnect());
	return made;
}

/** The tool of that name, which must be there. */
export function named(tools: readonly McpTool[], name: string): McpTool {
	const found = tools.find((tool) => tool.name === name);
	if (found === undefined) throw new Error(`no tool ${name} among ${tools.map((tool) => tool.name).join(", ")}`);
	return found;
}

/** What a call comes to; arguments are checked as a robot does. */
export async function call(tool: McpTool, input: unknown = {}, signal?: AbortSignal): Promise<ToolOutcome | undefined> {
	const checked = await tool.validate(input);
	if (!checked.ok) return { text: checked.message, isError: true };
	return tool.call?.(checked.value, signal === undefined ? {} : { signal });
}

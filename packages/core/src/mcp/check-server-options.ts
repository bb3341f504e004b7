import { copiedServer, mcpNameFlaw, mcpServerFlaw } from "../config/mcp-server-flaw.js";
import type { McpServerOptions } from "../config/mcp-server-options.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";

/** Copies of the servers' options by their names. Throws a ConfigurationError that names the server, the option and what it should be. */
export function checkServers(servers: Readonly<Record<string, McpServerOptions>>): ReadonlyMap<string, McpServerOptions> {
	return new Map(Object.entries(servers).map(([name, options]) => [checkName(name), checkServerOptions(name, options)]));
}

function checkName(name: string): string {
	const flaw = mcpNameFlaw(name);
	if (flaw === undefined) return name;
	throw new ConfigurationError(`${describeValue(name)} ${flaw}.`);
}

function checkServerOptions(name: string, options: McpServerOptions): McpServerOptions {
	const flaw = mcpServerFlaw(options);
	if (flaw === undefined) return copiedServer(options);
	const where = `The MCP server ${describeValue(name)}`;
	throw new ConfigurationError(flaw.option === undefined ? `${where} ${flaw.text}.` : `${where}: ${flaw.option} ${flaw.text}.`);
}

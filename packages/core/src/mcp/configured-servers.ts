import { isDeepStrictEqual } from "node:util";
import { config } from "../config/configure.js";
import { McpServers } from "./mcp-servers.js";

/** In a module: a second copy of this package would start the servers once more, and nothing else. */
let current: { readonly options: object; readonly servers: McpServers } | undefined;

/**
 * The servers of the configuration, the same for all robots as long as it names the same; nothing where it names none. Once it names others the
 * former are disconnected.
 */
export function configuredServers(): McpServers | undefined {
	const { mcpServers } = config();
	// asked in every run
	if (mcpServers === current?.options) return current?.servers;
	const options = mcpServers ?? {};
	if (isDeepStrictEqual(options, current?.options ?? {})) {
		// so that the next run sees at once that they are the same
		if (current !== undefined) current = { ...current, options };
		return current?.servers;
	}
	const former = current?.servers;
	current = Object.keys(options).length === 0 ? undefined : { options, servers: new McpServers(options) };
	// Nobody waits for it: what still runs is ended when this process is.
	former?.disconnect().catch(() => {});
	return current?.servers;
}

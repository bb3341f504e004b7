import { config } from "../config/configure.js";
import { describeValue } from "../text/describe-value.js";
import { type DeclaredMap, namesText } from "./declared-map.js";

/** Throws ConfigurationError where `mcp` names servers that are not configured: a robot of a file has no others. */
export function checkDeclaredServers(map: DeclaredMap): void {
	const chosen = map.value("mcp");
	if (!Array.isArray(chosen)) return;
	const known = Object.keys(config().mcpServers ?? {});
	const unknown = chosen.find((name) => !known.includes(name));
	if (unknown === undefined) return;
	throw map.error(
		"mcp",
		`names ${describeValue(unknown)}, which is no configured MCP server`,
		`${namesText(unknown, known)} The configuration describes them as mcp_servers.`,
	);
}

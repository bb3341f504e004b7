import { MASKED } from "./mask-secret.js";
import { isProgram, type McpServerOptions } from "./mcp-server-options.js";
import { snakeCase } from "./snake-case.js";

/** What often holds a key. */
const SECRETIVE: ReadonlySet<string> = new Set(["args", "env", "headers"]);

/** Servers as they may be shown to anybody, spelt as in files. Of an address only where it is: many have a key in the path. */
export function shownServers(servers: Readonly<Record<string, McpServerOptions>>): Readonly<Record<string, object>> {
	return Object.fromEntries(Object.entries(servers).map(([name, options]) => [name, shownServer(options)]));
}

function shownServer(options: McpServerOptions): object {
	const shown = Object.entries(options).map(([key, value]) => [snakeCase(key), SECRETIVE.has(key) ? MASKED : value]);
	return { ...Object.fromEntries(shown), ...(!isProgram(options) && { url: shownAddress(options.url) }) };
}

/** Where a server is, without what may be a key. */
export function shownAddress(url: string | URL): string {
	const { origin, pathname, search } = new URL(url);
	return pathname === "/" && search === "" ? origin : `${origin}/${MASKED}`;
}

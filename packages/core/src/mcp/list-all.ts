import { McpError } from "../errors/mcp-error.js";
import { fieldsOf } from "./result-text.js";

const MAX_PAGES = 200;
const MAX_ITEMS = 2_000;

/**
 * Everything in a list that a server gives page by page. A server that gives a cursor again, or never comes to an end, is refused
 * instead of being asked for ever.
 *
 * @param field Under which name a page holds its items.
 * @param fetchPage Asks for the page at the cursor; without one, for the first.
 */
export async function listAll(
	server: string,
	field: string,
	fetchPage: (cursor: string | undefined) => Promise<unknown>,
): Promise<readonly unknown[]> {
	const items: unknown[] = [];
	const seen = new Set<string>();
	for (let cursor: string | undefined, page = 1; ; page += 1) {
		const answer = fieldsOf(await fetchPage(cursor));
		const onPage = answer[field];
		if (!Array.isArray(onPage)) throw unusable(server, `its list of ${field} has no ${field}`);
		for (const item of onPage) items.push(item);
		if (items.length > MAX_ITEMS) throw unusable(server, `it lists more than ${MAX_ITEMS} ${field}`);
		const { nextCursor } = answer;
		if (typeof nextCursor !== "string" || nextCursor === "") return items;
		if (seen.has(nextCursor)) throw unusable(server, `its list of ${field} comes back to a page it gave before`);
		if (page === MAX_PAGES) throw unusable(server, `its list of ${field} has more than ${MAX_PAGES} pages`);
		seen.add(nextCursor);
		cursor = nextCursor;
	}
}

const unusable = (server: string, what: string): McpError =>
	new McpError("unusable_answer", server, `The MCP server "${server}" cannot be used: ${what}.`);

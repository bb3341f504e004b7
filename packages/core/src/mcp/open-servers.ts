import type { McpServerOptions } from "../config/mcp-server-options.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { McpError } from "../errors/mcp-error.js";
import { warnOnce } from "../errors/warn-once.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { McpConnection, type McpServerStatus } from "./connection.js";
import {
	contentsOf,
	type McpContents,
	type McpPrompt,
	type McpPromptText,
	type McpResource,
	promptOf,
	promptTextOf,
	resourceOf,
} from "./contents.js";
import { listAll } from "./list-all.js";
import { relevantTo } from "./relevance.js";
import { type ListedTool, type McpTool, remoteTool } from "./remote-tool.js";
import { fieldsOf } from "./result-text.js";
import type { McpChoiceOptions, McpListOptions, McpToolsOptions } from "./server-options.js";
import { toolNames } from "./tool-names.js";

/** The servers of one `McpServers`, once something was asked of them: loaded then, so that who has none does not load any of this. What each method does is said there. */
export class OpenServers {
	readonly #connections: ReadonlyMap<string, McpConnection>;
	readonly #listed: Map<McpConnection, { readonly version: number; readonly tools: readonly ListedTool[] }> = new Map();

	/** @param servers Checked, by their names. */
	constructor(servers: ReadonlyMap<string, McpServerOptions>) {
		this.#connections = new Map([...servers].map(([name, options]) => [name, new McpConnection(name, options)]));
	}

	async connect({ signal, servers }: McpChoiceOptions = {}): Promise<void> {
		const connecting = this.#chosen(servers).map((connection) => connection.offers("tools", signal));
		const failed = (await Promise.allSettled(connecting)).find((outcome) => outcome.status === "rejected");
		if (failed !== undefined) throw failed.reason;
	}

	async tools(options: McpToolsOptions = {}): Promise<readonly McpTool[]> {
		const listed = await this.#ofEach((connection) => this.#toolsOf(connection, options.signal), options);
		const names = toolNames(listed.map(({ connection, remoteName }) => ({ server: connection.name, tool: remoteName })));
		return listed.map((tool, index) => remoteTool(names[index] ?? "", tool));
	}

	async resources(options: McpChoiceOptions = {}): Promise<readonly McpResource[]> {
		return this.#ofEach((connection) => this.#list(connection, "resources", resourceOf, options.signal), options);
	}

	async readResource(server: string, uri: string, { signal }: McpListOptions = {}): Promise<readonly McpContents[]> {
		return contentsOf(server, await this.#named(server).request({ method: "resources/read", params: { uri }, signal }));
	}

	async prompts(options: McpChoiceOptions = {}): Promise<readonly McpPrompt[]> {
		return this.#ofEach((connection) => this.#list(connection, "prompts", promptOf, options.signal), options);
	}

	async prompt(
		server: string,
		name: string,
		values: Readonly<Record<string, string>> = {},
		{ signal }: McpListOptions = {},
	): Promise<McpPromptText> {
		const params = { name, arguments: { ...values } };
		return promptTextOf(server, await this.#named(server).request({ method: "prompts/get", params, signal }));
	}

	status(): readonly McpServerStatus[] {
		return [...this.#connections.values()].map(({ status }) => status);
	}

	async disconnect(): Promise<void> {
		await Promise.all([...this.#connections.values()].map((connection) => connection.disconnect()));
	}

	#chosen(servers: readonly string[] | undefined): readonly McpConnection[] {
		return servers === undefined ? [...this.#connections.values()] : servers.map((name) => this.#named(name));
	}

	#named(server: string): McpConnection {
		const connection = this.#connections.get(server);
		if (connection !== undefined) return connection;
		const names = [...this.#connections.keys()];
		throw new ConfigurationError(
			`There is no MCP server ${describeValue(server)}.${didYouMean(server, names)} There are: ${names.join(", ") || "none"}.`,
		);
	}

	async #ofEach<T>(
		list: (connection: McpConnection) => Promise<readonly T[]>,
		{ signal, servers, about }: McpToolsOptions,
	): Promise<readonly T[]> {
		const all = this.#chosen(servers).map((connection) => ({
			connection,
			name: connection.name,
			description: connection.options.description,
		}));
		const asked = about === undefined ? all : relevantTo(about, all);
		const lists = await Promise.all(
			asked.map(({ connection }) =>
				list(connection).catch((error: unknown) => {
					if (signal?.aborted || !McpError.isInstance(error) || error.code === "disconnected") throw error;
					warnOnce(`mcp:${error.message}`, `${error.message} What it offers is left out.`, "ROBOT_LAB_MCP_SERVER_LEFT_OUT");
					return [];
				}),
			),
		);
		return lists.flat();
	}

	async #toolsOf(connection: McpConnection, signal: AbortSignal | undefined): Promise<readonly ListedTool[]> {
		await connection.offers("tools", signal);
		// What changes while it is listed is asked for again the next time.
		const version = connection.toolsVersion;
		const known = this.#listed.get(connection);
		if (known?.version === version && connection.tellsOfTools) return known.tools;
		const names = new Set<string>();
		const tools = await this.#list(connection, "tools", (_, item) => listedTool(connection, item, names), signal);
		this.#listed.set(connection, { version, tools });
		return tools;
	}

	async #list<T>(
		connection: McpConnection,
		what: "tools" | "resources" | "prompts",
		read: (server: string, item: unknown) => T | undefined,
		signal: AbortSignal | undefined,
	): Promise<readonly T[]> {
		if (!(await connection.offers(what, signal))) return [];
		const fetchPage = (cursor: string | undefined): Promise<unknown> =>
			connection.request({ method: `${what}/list`, params: cursor === undefined ? {} : { cursor }, signal });
		const items = await listAll(connection.name, what, fetchPage);
		return items.flatMap((item) => read(connection.name, item) ?? []);
	}
}

/** A tool without a name cannot be called, and of two that have the same the server knows one. */
function listedTool(connection: McpConnection, item: unknown, names: Set<string>): ListedTool | undefined {
	const { name, description, inputSchema } = fieldsOf(item);
	if (typeof name !== "string" || name === "" || names.has(name)) return undefined;
	names.add(name);
	return { connection, remoteName: name, description, inputSchema };
}

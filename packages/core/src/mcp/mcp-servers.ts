import { ConfigurationError } from "../errors/configuration-error.js";
import { McpError } from "../errors/mcp-error.js";
import { warnOnce } from "../errors/warn-once.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { checkServerOptions } from "./check-server-options.js";
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
import type { McpServerOptions } from "./server-options.js";
import { toolNames } from "./tool-names.js";

/** How servers are asked for what they have. */
export interface McpListOptions {
	/** Ends the waiting; servers stay connected. */
	readonly signal?: AbortSignal;
}

export interface McpToolsOptions extends McpListOptions {
	/**
	 * A message: only servers whose `description` has to do with it are asked, and those without a description; all of them where none fits.
	 * Default: all.
	 */
	readonly about?: string;
}

const PROVIDER_SAFE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Model Context Protocol servers, and what they offer: tools for robots, resources, prompts. Nothing is started or reached before
 * something is asked for, and what is lost is reached anew when it is asked next.
 *
 * Needs the package `@modelcontextprotocol/client`, which is loaded then. Servers that were started here end with `disconnect()`, with
 * this process, and never keep it alive.
 */
export class McpServers {
	readonly #connections: ReadonlyMap<string, McpConnection>;
	readonly #listed: Map<McpConnection, { readonly version: number; readonly tools: readonly ListedTool[] }> = new Map();

	/**
	 * @param servers How each is reached, by a name of 1 to 64 letters, digits, `_` or `-`.
	 * @throws ConfigurationError for a name or an option that cannot be used.
	 */
	constructor(servers: Readonly<Record<string, McpServerOptions>>) {
		this.#connections = new Map(Object.entries(servers).map(([name, options]) => [name, this.#connection(name, options)]));
	}

	/** Connects to every server now. Rejects with the McpError of one that cannot be reached, after all were tried. */
	async connect({ signal }: McpListOptions = {}): Promise<void> {
		const connecting = [...this.#connections.values()].map((connection) => connection.offers("tools", signal));
		const failed = (await Promise.allSettled(connecting)).find((outcome) => outcome.status === "rejected");
		if (failed !== undefined) throw failed.reason;
	}

	/**
	 * The tools of all servers that can be reached, for `localTools` of a robot. A tool keeps its name where no other has it, in the letters
	 * that providers accept; where two servers share one, each gets the server's name in front. A server that cannot be reached is left out,
	 * with a process warning; {@link status} says why.
	 */
	async tools({ signal, about }: McpToolsOptions = {}): Promise<readonly McpTool[]> {
		const listed = await this.#ofEach((connection) => this.#toolsOf(connection, signal), signal, about);
		const names = toolNames(listed.map(({ connection, remoteName }) => ({ server: connection.name, tool: remoteName })));
		return listed.map((tool, index) => remoteTool(names[index] ?? "", tool));
	}

	/** What all servers that can be reached have to read. */
	async resources({ signal }: McpListOptions = {}): Promise<readonly McpResource[]> {
		return this.#ofEach((connection) => this.#list(connection, "resources", resourceOf, signal), signal);
	}

	/** Reads a resource. Rejects with a McpError. The text is the server's, as it is and as long as it is (8 MiB at most). */
	async readResource(server: string, uri: string, { signal }: McpListOptions = {}): Promise<readonly McpContents[]> {
		return contentsOf(server, await this.#named(server).request({ method: "resources/read", params: { uri }, signal }));
	}

	/** The prompts of all servers that can be reached. */
	async prompts({ signal }: McpListOptions = {}): Promise<readonly McpPrompt[]> {
		return this.#ofEach((connection) => this.#list(connection, "prompts", promptOf, signal), signal);
	}

	/** A prompt, filled in by its server. Rejects with a McpError. */
	async prompt(
		server: string,
		name: string,
		values: Readonly<Record<string, string>> = {},
		{ signal }: McpListOptions = {},
	): Promise<McpPromptText> {
		const params = { name, arguments: { ...values } };
		return promptTextOf(server, await this.#named(server).request({ method: "prompts/get", params, signal }));
	}

	/** How it stands with each server, in the order in which they were given. Asks nobody. */
	status(): readonly McpServerStatus[] {
		return [...this.#connections.values()].map(({ status }) => status);
	}

	/** Ends all connections for good, and the servers that were started here with everything they have started. */
	async disconnect(): Promise<void> {
		await Promise.all([...this.#connections.values()].map((connection) => connection.disconnect()));
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.disconnect();
	}

	#connection(name: string, options: McpServerOptions): McpConnection {
		if (!PROVIDER_SAFE_NAME.test(name)) {
			throw new ConfigurationError(`An MCP server cannot be named ${describeValue(name)}: give 1 to 64 letters, digits, "_" or "-".`);
		}
		return new McpConnection(name, checkServerOptions(name, options));
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
		signal?: AbortSignal,
		about?: string,
	): Promise<readonly T[]> {
		const all = [...this.#connections.values()].map((connection) => ({
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

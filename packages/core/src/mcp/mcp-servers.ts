import type { McpServerOptions } from "../config/mcp-server-options.js";
import { checkNames } from "../options/check-options.js";
import { checkServers } from "./check-server-options.js";
import type { McpServerStatus } from "./connection.js";
import type { McpContents, McpPrompt, McpPromptText, McpResource } from "./contents.js";
import type { OpenServers } from "./open-servers.js";
import type { McpTool } from "./remote-tool.js";
import type { McpChoiceOptions, McpListOptions, McpToolsOptions } from "./server-options.js";

/**
 * Model Context Protocol servers, and what they offer: tools for robots, resources, prompts. Nothing is started or reached before
 * something is asked for, and what is lost is reached anew when it is asked next.
 *
 * Needs the package `@modelcontextprotocol/client`, which is loaded then. Servers that were started here end with `disconnect()`, with
 * this process, and never keep it alive.
 */
export class McpServers {
	readonly #options: ReadonlyMap<string, McpServerOptions>;
	#opening: Promise<OpenServers> | undefined;
	#open: OpenServers | undefined;

	/**
	 * @param servers How each is reached, by a name of 1 to 64 letters, digits, `_` or `-`.
	 * @throws ConfigurationError for a name or an option that cannot be used.
	 */
	constructor(servers: Readonly<Record<string, McpServerOptions>>) {
		this.#options = checkServers(servers);
	}

	/** Connects to the servers now. Rejects with the McpError of one that cannot be reached, after all were tried. */
	async connect(options: McpChoiceOptions = {}): Promise<void> {
		checkNames("servers.connect()", options, ["signal", "servers"]);
		await (await this.#servers()).connect(options);
	}

	/**
	 * The tools of all servers that can be reached, for `localTools` of a robot. A tool keeps its name where no other has it, in the letters
	 * that providers accept; where two servers share one, each gets the server's name in front. A server that cannot be reached is left out,
	 * with a process warning; {@link status} says why.
	 */
	async tools(options: McpToolsOptions = {}): Promise<readonly McpTool[]> {
		checkNames("servers.tools()", options, ["signal", "servers", "about"]);
		return (await this.#servers()).tools(options);
	}

	/** What all servers that can be reached have to read. */
	async resources(options: McpChoiceOptions = {}): Promise<readonly McpResource[]> {
		checkNames("servers.resources()", options, ["signal", "servers"]);
		return (await this.#servers()).resources(options);
	}

	/** Reads a resource. Rejects with a McpError. The text is the server's, as it is and as long as it is (8 MiB at most). */
	async readResource(server: string, uri: string, options?: McpListOptions): Promise<readonly McpContents[]> {
		return (await this.#servers()).readResource(server, uri, options);
	}

	/** The prompts of all servers that can be reached. */
	async prompts(options: McpChoiceOptions = {}): Promise<readonly McpPrompt[]> {
		checkNames("servers.prompts()", options, ["signal", "servers"]);
		return (await this.#servers()).prompts(options);
	}

	/** A prompt, filled in by its server. Rejects with a McpError. */
	async prompt(server: string, name: string, values?: Readonly<Record<string, string>>, options?: McpListOptions): Promise<McpPromptText> {
		return (await this.#servers()).prompt(server, name, values, options);
	}

	/** How it stands with each server, in the order in which they were given. Asks nobody. */
	status(): readonly McpServerStatus[] {
		return this.#open?.status() ?? [...this.#options.keys()].map((name) => ({ name, state: "idle" }));
	}

	/** Ends all connections for good, and the servers that were started here with everything they have started. */
	async disconnect(): Promise<void> {
		await (await this.#servers()).disconnect();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.disconnect();
	}

	#servers(): Promise<OpenServers> {
		this.#opening ??= this.#load();
		return this.#opening;
	}

	async #load(): Promise<OpenServers> {
		const { OpenServers } = await import("./open-servers.js");
		this.#open = new OpenServers(this.#options);
		return this.#open;
	}
}

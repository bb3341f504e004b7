import { config } from "../config/configure.js";
import { isPlainRecord } from "../config/is-plain-record.js";
import type { McpServerOptions } from "../config/mcp-server-options.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { McpError } from "../errors/mcp-error.js";
import { checkServers } from "../mcp/check-server-options.js";
import { configuredServers } from "../mcp/configured-servers.js";
import type { McpServerStatus } from "../mcp/connection.js";
import { McpServers } from "../mcp/mcp-servers.js";
import { distinctTools, type McpTool } from "../mcp/remote-tool.js";
import type { McpListOptions } from "../mcp/server-options.js";
import { cascade, chosenNames } from "../options/cascade.js";
import { describeValue } from "../text/describe-value.js";
import type { Selection } from "../value/selection.js";

/**
 * The MCP servers of a robot: those of the configuration (`inherit`, `none`, some of them by their names), servers of its own, or servers that
 * somebody else made and ends.
 */
export type RobotMcpServers = Selection | McpServers | Readonly<Record<string, McpServerOptions>>;

/** Which servers a run is about. */
export interface McpForRun extends McpListOptions {
	readonly run?: Selection | undefined;
	readonly task?: Selection | undefined;
	readonly network?: Selection | undefined;
	/** A message: only servers that have to do with it are asked. Default: all that are chosen. */
	readonly about?: string | undefined;
	/** Names that no tool of a server may have. */
	readonly taken?: Iterable<string>;
}

/** The tools of a run's servers. */
export interface McpToolsOfRun {
	readonly tools: readonly McpTool[];
	/** Whether these are all there can be: every server the robot has was chosen, asked and reached. */
	readonly isWhole: boolean;
}

const NO_SERVERS: McpToolsOfRun = { tools: [], isWhole: true };
const NOBODY = { asked: [], isAll: true } as const;

/** Some servers of those that are connected together. */
interface Asked {
	readonly servers: McpServers;
	readonly names: readonly string[];
}

/** The MCP servers of one robot. Nothing is started, reached or loaded before a run needs it. */
export class RobotMcp {
	readonly #robotName: string;
	/** What the robot's level of the cascade says. */
	readonly #selection: Selection;
	/** How its own servers are reached. */
	readonly #options: ReadonlyMap<string, McpServerOptions> | undefined;
	readonly #shared: McpServers | undefined;
	#own: McpServers | undefined;
	#ending: Promise<unknown> = Promise.resolve();

	/** Throws ConfigurationError for what names or describes no servers. */
	constructor({ mcp = "inherit", robotName }: { readonly mcp?: RobotMcpServers | undefined; readonly robotName: string }) {
		this.#robotName = robotName;
		if (isSelection(mcp)) {
			cascade("mcp", { robot: mcp });
			this.#selection = typeof mcp === "string" ? mcp : Object.freeze([...mcp]);
			return;
		}
		if (isServers(mcp)) this.#shared = mcp;
		else if (isPlainRecord(mcp)) this.#options = checkServers(mcp);
		else throw noServers(mcp);
		this.#selection = Object.freeze(this.#given());
	}

	/**
	 * The tools of the servers that are chosen, which are connected where they are not. One that cannot be reached is left out, with a process
	 * warning. Rejects with ConfigurationError for what no level may say and, of run and robot, for a name that no server has, and with the signal's
	 * reason. Servers that are disconnected meanwhile have no tools.
	 */
	async tools({ signal, about, taken = [], ...levels }: McpForRun = {}): Promise<McpToolsOfRun> {
		const { asked, isAll } = this.#asked(levels);
		if (asked.length === 0) return isAll ? NO_SERVERS : { tools: [], isWhole: false };
		const options = { ...(signal && { signal }), ...(about !== undefined && { about }) };
		const lists = await Promise.all(
			asked.map(({ servers, names }) => servers.tools({ ...options, servers: names }).catch((error) => noneOf(error, signal))),
		);
		const areThere = asked.every(({ servers, names }) => isConnected(servers, names));
		return { tools: distinctTools(lists.flat(), taken), isWhole: isAll && about === undefined && areThere };
	}

	/** Connects now to the servers that a run uses of which nobody says another. Rejects with the McpError of one that cannot be reached. */
	async connect(options: McpListOptions = {}): Promise<void> {
		await Promise.all(this.#asked({}).asked.map(({ servers, names }) => servers.connect({ ...options, servers: names })));
	}

	/** Ends the robot's own servers; a later run starts them again. Those of the configuration and of somebody else go on. */
	async disconnect(): Promise<void> {
		const ended = this.#own;
		this.#own = undefined;
		if (ended !== undefined) this.#ending = Promise.all([this.#ending, ended.disconnect()]);
		await this.#ending;
	}

	/** Whether there are servers that it starts, and ends. */
	get hasOwn(): boolean {
		return this.#options !== undefined && this.#options.size > 0;
	}

	/** How it stands with the servers that a run uses of which nobody says another. Asks nobody. */
	status(): readonly McpServerStatus[] {
		return this.#asked({}).asked.flatMap(({ servers, names }) => {
			const known = new Map(servers.status().map((status) => [status.name, status]));
			return names.flatMap((name) => known.get(name) ?? []);
		});
	}

	/** The word, or the names of the servers: nothing of how they are reached. */
	toJSON(): Selection {
		return this.#selection;
	}

	/** Servers of its own win over those of the configuration that have the same name. */
	#asked(levels: Omit<McpForRun, "signal" | "about" | "taken">): { readonly asked: readonly Asked[]; readonly isAll: boolean } {
		const given = this.#given();
		const configured = configuredServers();
		// most robots have none, and nobody says anything of them: this is asked in every run
		if (
			given.length === 0 &&
			configured === undefined &&
			this.#selection === "inherit" &&
			Object.values(levels).every((said) => said === undefined)
		)
			return NOBODY;
		const others = configured === undefined ? [] : namesOf(configured).filter((name) => !given.includes(name));
		const choice = cascade("mcp", { ...levels, robot: this.#selection, config: config().mcp });
		const chosen = chosenNames(choice, { setting: "mcp", robotName: this.#robotName, known: [...given, ...others] });
		const [own, rest] = [chosen.filter((name) => given.includes(name)), chosen.filter((name) => others.includes(name))];
		const asked = [
			...(own.length === 0 ? [] : [{ servers: this.#servers(), names: own }]),
			...(configured === undefined || rest.length === 0 ? [] : [{ servers: configured, names: rest }]),
		];
		return { asked, isAll: chosen.length === given.length + others.length };
	}

	/** The names of its own servers, or of somebody else's that it was given. */
	#given(): readonly string[] {
		return this.#shared === undefined ? [...(this.#options?.keys() ?? [])] : namesOf(this.#shared);
	}

	#servers(): McpServers {
		if (this.#shared !== undefined) return this.#shared;
		this.#own ??= new McpServers(Object.fromEntries(this.#options ?? []));
		return this.#own;
	}
}

const isConnected = (servers: McpServers, names: readonly string[]): boolean =>
	servers.status().every(({ name, state }) => !names.includes(name) || state === "connected");

/** Whoever ends servers while a run asks for them ends no run: it goes on without. */
function noneOf(error: unknown, signal: AbortSignal | undefined): readonly McpTool[] {
	if (!signal?.aborted && McpError.isInstance(error) && error.code === "disconnected") return [];
	throw error;
}

const namesOf = (servers: McpServers): readonly string[] => servers.status().map(({ name }) => name);

const isSelection = (mcp: RobotMcpServers): mcp is Selection => typeof mcp === "string" || Array.isArray(mcp);

/** By shape: it may be of another copy of this package. */
function isServers(mcp: unknown): mcp is McpServers {
	const { tools, status } = (mcp ?? {}) as Readonly<Record<string, unknown>>;
	return typeof tools === "function" && typeof status === "function";
}

function noServers(mcp: unknown): ConfigurationError {
	const wanted = '"inherit", "none", a list of names, servers by their names, or an McpServers';
	return new ConfigurationError(`A robot's mcp must be ${wanted}, not ${describeValue(mcp)}.`);
}

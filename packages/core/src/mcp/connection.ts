import type { McpServerOptions } from "../config/mcp-server-options.js";
import { McpError } from "../errors/mcp-error.js";
import { untilAborted } from "../process/until-aborted.js";
import { boundedText, withoutSecrets } from "./safe-text.js";
import { DEFAULT_TIMEOUT_MS } from "./server-options.js";
import { codeOf, openSession, reasonOf, type Session, secretsOf } from "./session.js";
import { StdioTransport } from "./stdio-transport.js";

/** How it stands with one server. */
export interface McpServerStatus {
	readonly name: string;
	/** `idle`: nothing was asked of it yet, or its connection was lost and nothing was asked since. `failed`: it could not be reached when last tried. */
	readonly state: "idle" | "connecting" | "connected" | "failed" | "disconnected";
	/** The process, of a server that was started here and runs. */
	readonly pid?: number;
	/** The version of the protocol that is spoken with it. */
	readonly protocolVersion?: string;
	/** What went wrong last. */
	readonly error?: McpError;
	/** The beginning and the end of what it wrote to standard error, of a server that was started here: at most 8 KiB. */
	readonly errorOutput?: string;
}

/** One request. */
export interface McpRequest {
	readonly method: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly signal?: AbortSignal | undefined;
	/** Is told how far it is. */
	readonly onProgress?: ((progress: { readonly message?: string | undefined }) => void) | undefined;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const MAX_REASON = 500;

/** Whatever the server answers: what is in it is looked at by whoever asked. */
const ANYTHING = {
	"~standard": { version: 1, vendor: "robot-lab", validate: (value: unknown) => ({ value }) },
} as const;

/**
 * One server: connected when something is asked of it, and connected anew when it is asked after its connection was lost. One that
 * fails again and again is left alone for a while, twice as long each time; what is asked meanwhile fails at once.
 */
export class McpConnection {
	readonly name: string;
	readonly options: McpServerOptions;
	readonly #now: () => number;
	readonly #disconnected: AbortController = new AbortController();
	#opening: Promise<Session> | undefined;
	#session: Session | undefined;
	#last: Session | undefined;
	#error: McpError | undefined;
	#failures = 0;
	#notBefore = 0;
	#toolsVersion = 0;

	/** @param now The clock of the pauses between attempts. */
	constructor(name: string, options: McpServerOptions, now: () => number = () => performance.now()) {
		this.name = name;
		this.options = options;
		this.#now = now;
	}

	get status(): McpServerStatus {
		const transport = this.#last?.transport;
		const program = transport instanceof StdioTransport ? transport : undefined;
		const protocolVersion = this.#session?.client.getNegotiatedProtocolVersion();
		return {
			name: this.name,
			state: this.#state,
			...(this.#session !== undefined && program?.pid != null && { pid: program.pid }),
			...(protocolVersion !== undefined && { protocolVersion }),
			...(this.#error && { error: this.#error }),
			...(program && { errorOutput: program.errorOutput }),
		};
	}

	get #state(): McpServerStatus["state"] {
		if (this.#disconnected.signal.aborted) return "disconnected";
		if (this.#session !== undefined) return "connected";
		if (this.#opening !== undefined) return "connecting";
		return this.#error?.code === "unreachable" ? "failed" : "idle";
	}

	/** Whether the server offers that at all. Connects to it. */
	async offers(what: "tools" | "resources" | "prompts", signal?: AbortSignal): Promise<boolean> {
		const { client } = await this.#connected(signal);
		return client.getServerCapabilities()?.[what] !== undefined;
	}

	/** Whether the server has said that it tells of changes to its tools. */
	get tellsOfTools(): boolean {
		return this.#session?.client.getServerCapabilities()?.tools?.listChanged === true;
	}

	/** Another number whenever the tools may be others: the server has said so, or was connected anew. */
	get toolsVersion(): number {
		return this.#toolsVersion;
	}

	/** Asks the server. Rejects with a McpError, or with the signal's reason. */
	async request({ method, params, signal, onProgress }: McpRequest): Promise<unknown> {
		const session = await this.#connected(signal);
		const timeout = this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
		try {
			const answer = await session.client.request({ method, ...(params && { params: { ...params } }) }, ANYTHING, {
				timeout,
				...(signal && { signal }),
				...(onProgress && { onprogress: onProgress }),
			});
			this.#failures = 0;
			return answer;
		} catch (error) {
			if (signal?.aborted) throw signal.reason;
			const failed = this.#failed(error, session, method, timeout);
			this.#error = failed;
			throw failed;
		}
	}

	/** Ends the connection for good, and with it a server that was started here. */
	async disconnect(): Promise<void> {
		this.#disconnected.abort(this.#refusal());
		const session = this.#session ?? (await this.#opening?.catch(() => undefined));
		if (session !== undefined) await closeSession(session);
	}

	async #connected(signal: AbortSignal | undefined): Promise<Session> {
		if (this.#disconnected.signal.aborted) throw this.#refusal();
		signal?.throwIfAborted();
		if (this.#session !== undefined) return this.#session;
		this.#opening ??= this.#open().finally(() => {
			this.#opening = undefined;
		});
		return untilAborted(this.#opening, signal);
	}

	async #open(): Promise<Session> {
		const wait = this.#notBefore - this.#now();
		if (wait > 0 && this.#error !== undefined) {
			const again = `It is tried again in ${Math.ceil(wait / 1000)} s.`;
			throw new McpError(this.#error.code, this.name, `${this.#error.message} ${again}`, { cause: this.#error });
		}
		this.#toolsVersion += 1;
		try {
			const session = await openSession(this.name, this.options, this.#listener, this.#disconnected.signal);
			this.#session = session;
			this.#last = session;
			this.#error = undefined;
			return session;
		} catch (error) {
			if (!McpError.isInstance(error)) throw error;
			this.#error = error;
			this.#pause();
			throw this.#disconnected.signal.aborted ? this.#refusal() : error;
		}
	}

	readonly #listener = {
		onClosed: (session: Session): void => this.#lose(session),
		onToolsChanged: (): void => {
			this.#toolsVersion += 1;
		},
	};

	#lose(session: Session): void {
		if (this.#session !== session) return;
		this.#session = undefined;
		this.#error ??= this.#lost(session, "is lost");
		this.#pause();
	}

	/** The second failure in a row is the first that makes anybody wait: a server that fell once is up again at once. */
	#pause(): void {
		this.#failures += 1;
		const pause = this.#failures < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 2));
		this.#notBefore = this.#now() + pause;
	}

	#failed(error: unknown, session: Session, method: string, timeoutMs: number): McpError {
		if (this.#disconnected.signal.aborted) return this.#refusal();
		const code = codeOf(error);
		const options = { cause: error };
		if (code === "REQUEST_TIMEOUT") {
			const message = `The MCP server "${this.name}" did not answer ${method} within ${timeoutMs} ms.`;
			return new McpError("timed_out", this.name, message, options);
		}
		const reason = boundedText(withoutSecrets(reasonOf(error), secretsOf(this.options)), MAX_REASON);
		if (typeof code === "number" && code < 0) {
			return new McpError("refused", this.name, `The MCP server "${this.name}" refused ${method}: ${reason}`, options);
		}
		if (code === "INVALID_RESULT" || code === "UNSUPPORTED_RESULT_TYPE") {
			return new McpError(
				"unusable_answer",
				this.name,
				`The MCP server "${this.name}" answered ${method} with something else: ${reason}`,
				options,
			);
		}
		// An address whose session is gone, or that cannot be reached: the next request begins anew.
		void closeSession(session);
		this.#lose(session);
		return this.#lost(session, `was lost while it was asked for ${method}: ${reason}`, options);
	}

	#lost({ transport }: Session, what: string, options: { readonly cause?: unknown } = {}): McpError {
		const ending = transport instanceof StdioTransport && transport.ending !== undefined ? ` (${transport.ending})` : "";
		return new McpError("connection_lost", this.name, `The connection to the MCP server "${this.name}" ${what}${ending}.`, options);
	}

	#refusal(): McpError {
		const message = `The MCP server "${this.name}" is disconnected for good. Make a new McpServers to use it again.`;
		return new McpError("disconnected", this.name, message);
	}
}

const CLOSE_BOUND_MS = 1_000;

/** Ends a session: an address is told, for a second at most; a program is ended. */
async function closeSession({ client, transport }: Session): Promise<void> {
	const remote = transport as { readonly terminateSession?: () => Promise<void> };
	if (remote.terminateSession !== undefined) {
		const telling = remote.terminateSession().catch(() => {});
		let timer: NodeJS.Timeout | undefined;
		await Promise.race([telling, new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_BOUND_MS)))]);
		clearTimeout(timer);
	}
	await client.close().catch(() => {});
	await transport.close().catch(() => {});
}

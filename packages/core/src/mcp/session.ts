import type { Client, Transport } from "@modelcontextprotocol/client";
import { isProgram, type McpAddressOptions, type McpServerOptions } from "../config/mcp-server-options.js";
import { shownAddress } from "../config/shown-servers.js";
import { McpError } from "../errors/mcp-error.js";
import { boundedFetch } from "./bounded-fetch.js";
import { type ClientPackage, loadClient } from "./load-client.js";
import { boundedText, withoutSecrets } from "./safe-text.js";
import { DEFAULT_CONNECT_TIMEOUT_MS, MAX_MESSAGE_BYTES } from "./server-options.js";
import { StdioTransport } from "./stdio-transport.js";

/** A server that has introduced itself. */
export interface Session {
	readonly client: Client;
	readonly transport: Transport;
}

/** Who is told of what happens to a session. */
export interface SessionListener {
	/** Called once, also for a session that was closed here. */
	readonly onClosed: (session: Session) => void;
	readonly onToolsChanged: () => void;
}

const CLIENT_INFO = { name: "robot-lab", version: "0" };
const LONGEST_PROBE_MS = 3_000;
const MAX_REASON = 500;
const MAX_ERROR_OUTPUT = 1_000;
/** Answers of a server that does not know streamable HTTP. */
const NOT_THERE = new Set([400, 404, 405]);

/** Starts or reaches the server and waits until it has introduced itself. What was begun is ended again when that fails. */
export async function openSession(
	name: string,
	options: McpServerOptions,
	listener: SessionListener,
	signal: AbortSignal,
): Promise<Session> {
	const sdk = await loadClient();
	const deadline = performance.now() + (options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS);
	let last: Attempt | undefined;
	for (const attempt of attemptsAt(sdk, options)) {
		if (last !== undefined && !attempt.mayFollow(last.error)) continue;
		const session = { client: newClient(sdk, attempt.isNegotiated, deadline, listener), transport: attempt.transport() };
		try {
			await introduce(session, deadline, signal);
			const { client } = session;
			client.onclose = () => listener.onClosed(session);
			if (session.transport instanceof StdioTransport && session.transport.ending !== undefined) throw new Error(session.transport.ending);
			return session;
		} catch (error) {
			await session.transport.close().catch(() => {});
			last = { error, transport: session.transport };
		}
	}
	throw unreachable(name, options, last);
}

interface Attempt {
	readonly error: unknown;
	readonly transport: Transport;
}

interface Way {
	/** Whether the newest protocol is asked for first. */
	readonly isNegotiated: boolean;
	readonly mayFollow: (error: unknown) => boolean;
	readonly transport: () => Transport;
}

function attemptsAt(sdk: ClientPackage, options: McpServerOptions): readonly Way[] {
	if (isProgram(options)) {
		const transport = (): Transport => new StdioTransport(sdk, options);
		return [
			{ isNegotiated: true, mayFollow: () => true, transport },
			// Some older servers end when they are asked something before they were greeted.
			{ isNegotiated: false, mayFollow: (error) => codeOf(error) === "ERA_NEGOTIATION_FAILED", transport },
		];
	}
	const http: Way = {
		isNegotiated: true,
		mayFollow: () => true,
		transport: () => new sdk.StreamableHTTPClientTransport(new URL(options.url), webOptions(options)) as Transport,
	};
	const sse: Way = {
		isNegotiated: false,
		mayFollow: (error) => NOT_THERE.has(statusOf(error) ?? 0),
		transport: () => new sdk.SSEClientTransport(new URL(options.url), webOptions(options)),
	};
	if (options.transport === undefined) return [http, sse];
	return options.transport === "http" ? [http] : [{ ...sse, mayFollow: () => true }];
}

function webOptions({ headers }: McpAddressOptions): {
	readonly fetch: ReturnType<typeof boundedFetch>;
	readonly requestInit?: RequestInit;
} {
	return { fetch: boundedFetch(MAX_MESSAGE_BYTES), ...(headers && { requestInit: { headers: { ...headers } } }) };
}

function newClient(sdk: ClientPackage, isNegotiated: boolean, deadline: number, { onToolsChanged }: SessionListener): Client {
	const probeMs = Math.max(1, Math.min(LONGEST_PROBE_MS, Math.floor((deadline - performance.now()) / 3)));
	return new sdk.Client(CLIENT_INFO, {
		capabilities: {},
		listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } },
		...(isNegotiated && { versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } } }),
	});
}

/** Waits for the introduction, no longer than until the deadline: a transport by itself may wait for ever. */
async function introduce({ client, transport }: Session, deadline: number, signal: AbortSignal): Promise<void> {
	const left = Math.max(1, Math.ceil(deadline - performance.now()));
	const late = new AbortController();
	const timer = setTimeout(() => late.abort(new Error(`it did not introduce itself within ${left} ms`)), left);
	const ended = AbortSignal.any([late.signal, signal]);
	try {
		const connecting = client.connect(transport, { timeout: left, signal: ended });
		await Promise.race([connecting, rejection(ended)]);
	} finally {
		clearTimeout(timer);
	}
}

function rejection(signal: AbortSignal): Promise<never> {
	const rejected = new Promise<never>((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
	// Nobody may be waiting any more.
	rejected.catch(() => {});
	return rejected;
}

function unreachable(name: string, options: McpServerOptions, last: Attempt | undefined): McpError {
	const { transport, error } = last ?? {};
	const program = transport instanceof StdioTransport ? transport : undefined;
	const reason = program?.ending !== undefined && codeOf(error) !== undefined ? program.ending : reasonOf(error);
	const wrote = boundedText(program?.errorOutput.trim() ?? "", MAX_ERROR_OUTPUT);
	const message = `The MCP server "${name}" (${addressOf(options)}) cannot be reached: ${boundedText(reason, MAX_REASON)}.`;
	return new McpError(
		"unreachable",
		name,
		withoutSecrets(wrote === "" ? message : `${message} It wrote: ${JSON.stringify(wrote)}.`, secretsOf(options)),
		{
			cause: error,
		},
	);
}

/** What names a server to a person, without what may hold a key. */
const addressOf = (options: McpServerOptions): string => (isProgram(options) ? options.command : shownAddress(options.url));

/** What was given for the server alone, and nobody else should read. */
export function secretsOf(options: McpServerOptions): readonly string[] {
	if (!isProgram(options)) {
		const values = Object.values(options.headers ?? {});
		return [...values, ...values.map((value) => value.replace(/^\S+\s+/, "")), ...new URL(options.url).searchParams.values()];
	}
	const passed = (options.envPass ?? []).flatMap((variable) => process.env[variable] ?? []);
	return [...Object.values(options.env ?? {}), ...passed];
}

export const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | undefined)?.code;

export const statusOf = (error: unknown): number | undefined => {
	const status = (error as { readonly status?: unknown } | undefined)?.status ?? codeOf(error);
	return typeof status === "number" ? status : undefined;
};

/** What an error says, and what the last of its causes does: `fetch`, for one, says only that it failed. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	let last = error;
	for (let depth = 0; depth < DEEPEST_CAUSE && last.cause instanceof Error; depth += 1) last = last.cause;
	const because = last.message || String(codeOf(last) ?? "");
	return because === "" || error.message.includes(because) ? error.message : `${error.message} (${because})`;
}

const DEEPEST_CAUSE = 5;

import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { AgentSkillCatalog, ApprovalOptions } from "@robot-lab/core";
import { errorText, WorkError } from "../exit.js";
import { mcpServerMaker, tellOfChanges } from "./mcp-server.js";
import { ServedSkills } from "./served-skills.js";

/** Far beyond what scripts take, and little enough to be put together piece by piece. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export interface ServeSkillsOptions {
	readonly catalog: AgentSkillCatalog;
	readonly approval: ApprovalOptions | undefined;
	readonly version: string;
	/** Ends the serving. */
	readonly signal: AbortSignal;
	/** Told what is wrong, in one line of strangers' words. */
	readonly onFlaw: (message: string) => void;
	/** Told once skills are read, and after each change of them. */
	readonly onSkills: (served: ServedSkills) => Promise<void>;
}

/**
 * Serves on standard input and output, in the protocol's versions of 2025 and 2026, until the client closes its side or the signal is aborted. Scripts
 * that run then are aborted, and the process lasts until they are gone. Rejects where a message is too large, and where the configuration cannot be read.
 */
export async function serveSkills({ catalog, approval, version, signal, onFlaw, onSkills }: ServeSkillsOptions): Promise<void> {
	const servers = new Set<McpServer>();
	using served = new ServedSkills({
		catalog,
		approval,
		onChange: () => {
			for (const mcp of servers) void tellOfChanges(mcp);
			void onSkills(served).catch((error) => onFlaw(errorText(error)));
		},
	});
	const make = mcpServerMaker({ served, version, onFlaw: (path, message) => onFlaw(`${message} (${path})`) });
	const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
	const connect = (): McpServer => {
		const mcp = make();
		servers.add(mcp);
		return mcp;
	};
	const handle = serveStdio(connect, { transport, onerror: ({ message }) => onFlaw(message) });
	const closed = new Promise<void>((resolve) => {
		const { onclose } = transport;
		transport.onclose = () => {
			onclose?.();
			resolve();
		};
	});
	const close = (): void => void handle.close();
	signal.addEventListener("abort", close, { once: true });
	if (signal.aborted) close();
	try {
		await Promise.race([served.current.then(() => onSkills(served)).then(() => closed), closed]);
	} finally {
		signal.removeEventListener("abort", close);
		await handle.close();
	}
	if (!signal.aborted && !process.stdin.readableEnded)
		throw new WorkError(`The connection to the client broke. One message may have ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB at most.`);
}

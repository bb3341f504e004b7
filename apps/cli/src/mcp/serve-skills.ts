import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { AgentSkillCatalog, ApprovalOptions } from "@robot-lab/core";
import { WorkError } from "../exit.js";
import { mcpServerMaker, tellOfChanges } from "./mcp-server.js";
import { ServedSkills } from "./served-skills.js";

export interface ServeSkillsOptions {
	readonly catalog: AgentSkillCatalog;
	readonly approval: ApprovalOptions | undefined;
	readonly version: string;
	/** Ends the serving. */
	readonly signal: AbortSignal;
	/** Told what is wrong, in one line of strangers' words. */
	readonly onFlaw: (message: string) => void;
	/** Told before the first client is answered, and after each change of the skills. */
	readonly onSkills: (served: ServedSkills) => Promise<void>;
}

/**
 * Serves on standard input and output, in the protocol's versions of 2025 and 2026, until the client closes its side or the signal is aborted, and
 * until the scripts that ran are gone. Rejects where the connection breaks, and where the configuration cannot be read.
 */
export async function serveSkills({ catalog, approval, version, signal, onFlaw, onSkills }: ServeSkillsOptions): Promise<void> {
	const servers = new Set<McpServer>();
	const calls = new Set<Promise<unknown>>();
	using served = new ServedSkills({
		catalog,
		approval,
		onChange: () => {
			for (const mcp of servers) void tellOfChanges(mcp);
			void onSkills(served).catch((error) => onFlaw(String(error)));
		},
	});
	const make = mcpServerMaker({
		served,
		version,
		onFlaw: (path, message) => onFlaw(`${message} (${path})`),
		onCall: (call) => {
			calls.add(call);
			const over = (): boolean => calls.delete(call);
			call.then(over, over);
		},
	});
	const transport = new StdioServerTransport();
	let failure: Error | undefined;
	const handle = serveStdio(
		() => {
			const mcp = make();
			servers.add(mcp);
			return mcp;
		},
		{
			transport,
			onerror: (error) => {
				failure = error;
				onFlaw(error.message);
			},
		},
	);
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
		await Promise.allSettled(calls);
	}
	if (failure !== undefined && !signal.aborted && !process.stdin.readableEnded)
		throw new WorkError(`The connection was closed: ${failure.message}`);
}

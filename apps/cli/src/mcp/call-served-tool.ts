import {
	type CallToolRequest,
	type CallToolResult,
	ProtocolError,
	ProtocolErrorCode,
	type ServerContext,
} from "@modelcontextprotocol/server";
import { EventLog, runTool } from "@robot-lab/core";
import { knownNames } from "../catalog.js";
import { printableLine } from "../render/printable.js";
import { progressOf } from "./progress.js";
import type { Served } from "./served-skills.js";

/**
 * Runs a script for a client. What goes wrong with it, its arguments included, is a result with `isError`, which models read and mend. Cancelling
 * ends all that it started.
 */
export async function callServedTool(
	{ name, arguments: input = {} }: CallToolRequest["params"],
	{ tools }: Served,
	{ mcpReq }: ServerContext,
): Promise<CallToolResult> {
	const served = tools.get(name);
	if (served === undefined) {
		const message = `There is no tool "${printableLine(name, 80)}". ${knownNames(name, [...tools.keys()])}`;
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
	}
	const log = new EventLog({ history: 0 });
	const progress = progressOf(mcpReq);
	if (progress !== undefined) {
		log.subscribe((event) => {
			if (event.event === "tool_call.output.delta") progress(event.data.delta);
		});
	}
	const { text, isError } = await runTool(served.tool, input, { log, signal: mcpReq.signal });
	return { content: [{ type: "text", text }], isError };
}

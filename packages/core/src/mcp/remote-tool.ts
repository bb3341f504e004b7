import { config } from "../config/configure.js";
import { McpError } from "../errors/mcp-error.js";
import { messageOf } from "../text/message-of.js";
import type { Tool, ToolContext } from "../tool/tool.js";
import type { ToolOutcome } from "../tool/tool-outcome.js";
import type { McpConnection } from "./connection.js";
import { fieldsOf, resultText } from "./result-text.js";
import { boundedText } from "./safe-text.js";
import { toolNames } from "./tool-names.js";
import { remoteParameters } from "./tool-schema.js";

const MAX_DESCRIPTION = 4_000;
const MAX_PROGRESS = 500;

/** A tool that a server runs. */
export interface McpTool extends Tool {
	/** The server's name, as it was given. */
	readonly server: string;
	/** The tool's name on the server; the model knows it as `name`. */
	readonly remoteName: string;
}

/** A tool as a server describes it, in so far as it has a name. */
export interface ListedTool {
	readonly connection: McpConnection;
	readonly remoteName: string;
	readonly description: unknown;
	readonly inputSchema: unknown;
}

/** Makes a tool of a server's one, under the name by which the model knows it. */
export function remoteTool(name: string, { connection, remoteName, description, inputSchema }: ListedTool): McpTool {
	const { schema, validate } = remoteParameters(name, inputSchema);
	const call = (input: unknown, context: ToolContext): Promise<ToolOutcome> => callRemote(connection, remoteName, input, context);
	const said = typeof description === "string" ? boundedText(description, MAX_DESCRIPTION).trim() : "";
	return Object.freeze({
		name,
		server: connection.name,
		remoteName,
		description: said === "" ? `The tool ${name} of the MCP server ${connection.name}.` : said,
		parameters: schema,
		validate,
		call,
		execute: async (input: unknown, context: ToolContext) => {
			const { text, isError } = await call(input, context);
			if (isError) throw new McpError("tool_failed", connection.name, text);
			return text;
		},
	});
}

/** The same tools, each under a name that no other has and that is not taken. */
export function distinctTools(tools: readonly McpTool[], taken: Iterable<string>): readonly McpTool[] {
	const names = toolNames(
		tools.map(({ server, remoteName }) => ({ server, tool: remoteName })),
		taken,
	);
	return tools.map((tool, index) => (tool.name === names[index] ? tool : Object.freeze({ ...tool, name: names[index] ?? tool.name })));
}

/** Never rejects: what went wrong is text for the model. */
async function callRemote(connection: McpConnection, remoteName: string, input: unknown, context: ToolContext): Promise<ToolOutcome> {
	const { signal, onOutput } = context;
	try {
		const result = await connection.request({
			method: "tools/call",
			params: { name: remoteName, arguments: input },
			signal,
			onProgress: onOutput && (({ message }) => tell(message, onOutput)),
		});
		const text = resultText(result, config().scripts.maxModelBytes);
		if (fieldsOf(result).isError !== true) return { text, isError: false };
		return { text: `Error (the tool failed): ${text === "" ? "it did not say why" : text}`, isError: true };
	} catch (error) {
		if (signal?.aborted) return { text: "Error (aborted): the run was aborted while this tool ran", isError: true };
		const code = McpError.isInstance(error) ? error.code.replaceAll("_", " ") : "failed";
		return { text: `Error (${code}): ${messageOf(error)}`, isError: true };
	}
}

function tell(message: unknown, onOutput: NonNullable<ToolContext["onOutput"]>): void {
	if (typeof message === "string" && message !== "") onOutput(`${boundedText(message, MAX_PROGRESS)}\n`, "stderr");
}

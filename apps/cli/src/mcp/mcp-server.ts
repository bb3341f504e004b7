import { McpServer } from "@modelcontextprotocol/server";
import { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { AgentSkill } from "@robot-lab/core";
import { callServedTool } from "./call-served-tool.js";
import { listedTool } from "./listed-tool.js";
import { listedPrompts, promptOf } from "./prompts.js";
import type { ServedSkills } from "./served-skills.js";
import { skillSource } from "./skill-source.js";

export interface McpServersOptions {
	readonly served: ServedSkills;
	readonly version: string;
	/** Told of a bundle that cannot be listed with its digests. */
	readonly onFlaw: (path: string, message: string) => void;
}

const INSTRUCTIONS =
	"Each tool runs a script of an Agent Skill and is called <skill>__<script>. How a skill is used stands in the prompt of its name and in the resource skill://<skill>/SKILL.md: read it before you call the tools of a skill for the first time.";

/** Makes what answers a client: its skills' scripts as tools, their instructions as prompts and resources, and the skills extension. */
export function mcpServerMaker({ served, version, onFlaw }: McpServersOptions): () => McpServer {
	const source = skillSource(served, ({ path }: AgentSkill, message) => onFlaw(path, message));
	const extension = new SkillsExtension({ source, onWarning: ({ path, message }) => onFlaw(path, message) });
	return () => {
		const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true } };
		const mcp = new McpServer({ name: "robot-lab", version }, { capabilities, instructions: INSTRUCTIONS });
		const { server } = mcp;
		server.setRequestHandler("tools/list", async () => ({
			tools: [...(await served.current).tools].map(([name, tool]) => listedTool(name, tool)),
		}));
		server.setRequestHandler("tools/call", async ({ params }, context) => callServedTool(params, await served.current, context));
		server.setRequestHandler("prompts/list", async () => ({ prompts: listedPrompts(await served.current) }));
		server.setRequestHandler("prompts/get", async ({ params }) => promptOf(params.name, await served.current));
		extension.attach(mcp);
		return mcp;
	};
}

/** Tells a client that what it listed is another list now. */
export async function tellOfChanges(mcp: McpServer): Promise<void> {
	if (!mcp.isConnected()) return;
	const { server } = mcp;
	await Promise.allSettled([server.sendToolListChanged(), server.sendPromptListChanged(), server.sendResourceListChanged()]);
}

import { isAbsolute } from "node:path";
import { frozenCopy } from "../value/frozen-copy.js";
import type { Check, WrongPart } from "./check.js";
import { isPlainRecord } from "./is-plain-record.js";
import { copiedServer, MCP_SERVER_OPTION_NAMES, mcpNameFlaw, mcpServerFlaw } from "./mcp-server-flaw.js";
import type { McpServerOptions } from "./mcp-server-options.js";
import { snakeCase } from "./snake-case.js";

type Servers = Readonly<Record<string, McpServerOptions>>;

/** Servers by their names, whose options are spelt so. What is wrong never shows a value: it may be a key. */
function serversSpelt(spell: (name: string) => string): Check {
	const check = (value: unknown): WrongPart | undefined => {
		if (!isPlainRecord(value)) return { part: "", flaw: "must be MCP servers by their names" };
		for (const [name, options] of Object.entries(value)) {
			const nameFlaw = mcpNameFlaw(name);
			if (nameFlaw !== undefined) return { part: `.${JSON.stringify(name)}`, flaw: nameFlaw };
			const flaw = mcpServerFlaw(options, spell);
			if (flaw !== undefined) return { part: `.${name}${flaw.option === undefined ? "" : `.${flaw.option}`}`, flaw: flaw.text };
		}
		return undefined;
	};
	const keep = (value: unknown): Servers =>
		frozenCopy(Object.fromEntries(Object.entries(value as Servers).map(([name, options]) => [name, copiedServer(read(options, spell))])));
	return Object.assign(check, { keep });
}

/** Options as TypeScript spells them. */
function read(options: object, spell: (name: string) => string): McpServerOptions {
	const names = new Map(MCP_SERVER_OPTION_NAMES.map((name) => [spell(name), name]));
	return Object.fromEntries(Object.entries(options).map(([key, value]) => [names.get(key) ?? key, value])) as unknown as McpServerOptions;
}

export const mcpServers: Check = Object.assign(
	serversSpelt((name) => name),
	{ inFiles: serversSpelt(snakeCase) },
);

/** Programs that are the same wherever the process is: a path from the working directory would start another one in every project. */
export const fixedPrograms: Check = (value) => {
	const wrong = Object.entries(value as Servers).find(([, server]) => "command" in server && !isFixed(server.command));
	if (wrong === undefined) return undefined;
	return { part: `.${wrong[0]}.command`, flaw: "must be the name of a program or an absolute path" };
};

const isFixed = (command: string): boolean => isAbsolute(command) || !command.includes("/");

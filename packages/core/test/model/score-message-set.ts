import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { JSONSchema7, LanguageModelV4 } from "@ai-sdk/provider";

interface MessageSet {
	readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JSONSchema7 }[];
	readonly messages: readonly { readonly message: string; readonly tool: string | null; readonly args: object | null }[];
}

export interface Score {
	readonly messages: number;
	/** Share of messages with the right tool, or rightly none. */
	readonly tool: number;
	/** Share of the messages that want none for which none was called. */
	readonly none: number;
	/** Share of the rightly chosen tools whose arguments are exactly right. */
	readonly args: number;
	readonly misses: readonly string[];
}

/** Plays a message set to a model, one request a message, and counts. */
export async function scoreMessageSet(path: string, model: LanguageModelV4): Promise<Score> {
	const { tools, messages } = JSON.parse(await readFile(path, "utf8")) as MessageSet;
	const offered = tools.map(({ name, description, parameters }) => ({
		type: "function" as const,
		name,
		description,
		inputSchema: parameters,
	}));
	const rows = await Promise.all(
		messages.map(async (row) => {
			const { content } = await model.doGenerate({
				prompt: [{ role: "user", content: [{ type: "text", text: row.message }] }],
				tools: offered,
			});
			const call = content.find((part) => part.type === "tool-call");
			const args = call === undefined ? null : (JSON.parse(call.input) as object);
			const toolRight = (call?.toolName ?? null) === row.tool;
			return { row, got: call?.toolName ?? null, args, toolRight, argsRight: toolRight && isDeepStrictEqual(args, row.args) };
		}),
	);
	const none = rows.filter(({ row }) => row.tool === null);
	const called = rows.filter(({ row, toolRight }) => row.tool !== null && toolRight);
	return {
		messages: rows.length,
		tool: share(rows, ({ toolRight }) => toolRight),
		none: share(none, ({ toolRight }) => toolRight),
		args: share(called, ({ argsRight }) => argsRight),
		misses: rows.filter(({ argsRight }) => !argsRight).map(({ row, got, args }) => `${row.message} -> ${got} ${JSON.stringify(args)}`),
	};
}

function share<T>(rows: readonly T[], right: (row: T) => boolean): number {
	return rows.length === 0 ? 1 : rows.filter(right).length / rows.length;
}

import { PassThrough } from "node:stream";
import { type AskUserOptions, askUser } from "../../src/ask/ask-user.js";
import { callTool } from "../../src/tool/call-tool.js";
import type { ToolContext } from "../../src/tool/tool.js";
import type { ToolOutcome } from "../../src/tool/tool-outcome.js";

/** Two streams in the place of a terminal's, and what was written. */
export class Place {
	readonly input = new PassThrough();
	readonly output = new PassThrough();
	written = "";
	#look: () => void = () => {};

	constructor() {
		this.output.setEncoding("utf8").on("data", (chunk: string) => {
			this.written += chunk;
			this.#look();
		});
	}

	/** Resolves once it was written so often. */
	async shows(text: string, times = 1): Promise<void> {
		while (this.written.split(text).length <= times) {
			await new Promise<void>((resolve) => {
				this.#look = resolve;
			});
		}
	}

	/** Calls a tool that asks here, as a robot does. */
	ask(question: unknown, context: ToolContext = { robotName: "helper" }, options: AskUserOptions = {}): Promise<ToolOutcome> {
		return ask(question, { input: this.input, output: this.output, ...options }, context);
	}
}

/** Calls a tool, made of the options, as a robot does. */
export function ask(question: unknown, options: AskUserOptions, context: ToolContext = {}): Promise<ToolOutcome> {
	const tool = askUser(options);
	return callTool({ name: tool.name, args: { ok: true, value: question } }, new Map([[tool.name, tool]]), context);
}

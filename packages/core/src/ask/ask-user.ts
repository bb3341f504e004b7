import type { Readable, Writable } from "node:stream";
import type { JSONSchema7 } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames, checkTimeout } from "../options/check-options.js";
import { describeValue } from "../text/describe-value.js";
import { createTool } from "../tool/create-tool.js";
import type { Tool } from "../tool/tool.js";
import { type Ask, heeding } from "./ask.js";
import { inTurn } from "./in-turn.js";
import { onStreams } from "./on-streams.js";
import { poseQuestion } from "./pose-question.js";
import { type QuestionInput, questionOf } from "./question.js";

export interface AskUserOptions {
	/** Where answers are read, line by line. Default: `process.stdin`. */
	readonly input?: Readable;
	/** Where questions are written. Default: `process.stdout`. */
	readonly output?: Writable;
	/** Asks instead, for a program that has windows, or reads its standard input itself. Not with `input` or `output`. */
	readonly ask?: Ask;
	/**
	 * Whether what was typed at a terminal before a question was to be seen is thrown away, for questions that nobody must answer unread. Input that is no
	 * terminal is read as it comes. Not with `ask`. Default `false`: it is the answer.
	 */
	readonly dropTypedAhead?: boolean;
	/** How long an answer is waited for, from when the question is shown, 0 to 2147483647. Default: without end. */
	readonly timeoutMs?: number;
	/** What the model calls it. Default `"ask_user"`. */
	readonly name?: string;
}

const OPTIONS: readonly (keyof AskUserOptions)[] = ["input", "output", "ask", "dropTypedAhead", "timeoutMs", "name"];

/**
 * A tool with which a model asks a person, and waits for the answer: a text, or one of the choices it gives. Questions that are asked at one
 * place at the same time are put one after the other. Where nobody answers, the default that the model gave is the answer, or the call fails.
 *
 * Throws ConfigurationError for options that are unknown or none.
 */
export function askUser(options: AskUserOptions = {}): Tool {
	check(options);
	const { input, output, ask, dropTypedAhead = false, timeoutMs, name = "ask_user" } = options;
	return createTool<QuestionInput>({
		name,
		description: DESCRIPTION,
		parameters: PARAMETERS,
		execute: (asked, context) => {
			const question = questionOf(asked, context.robotName);
			// merely to look at the standard input opens it: not before there is a question for it
			const place = ask ?? input ?? process.stdin;
			const put =
				typeof place === "function"
					? heeding(place)
					: onStreams({ input: place, output: output ?? process.stdout, dropsTypedAhead: dropTypedAhead });
			return inTurn(place, context.signal, () => poseQuestion(question, { ask: put, toolName: name, timeoutMs, context }));
		},
	});
}

const DESCRIPTION =
	"Asks the person you work for one question and waits for the answer. Use it for what only they can know or decide; find out yourself what you can.";

const PARAMETERS: JSONSchema7 = {
	type: "object",
	properties: {
		question: { type: "string", description: "The question, as the person reads it." },
		choices: {
			type: "array",
			items: { type: "string" },
			maxItems: 50,
			description: "The only answers there are, each a short line. Without them the person answers in their own words.",
		},
		default: { type: "string", description: "The answer if the person gives none. With choices: one of them." },
	},
	required: ["question"],
	additionalProperties: false,
};

function check(options: AskUserOptions): void {
	checkNames("askUser()", options, OPTIONS);
	const { input, output, ask, dropTypedAhead, timeoutMs } = options;
	checkTimeout(timeoutMs);
	checkStream("input", input, input?.read);
	checkStream("output", output, output?.write);
	if (dropTypedAhead !== undefined && typeof dropTypedAhead !== "boolean")
		throw new ConfigurationError(`askUser() takes as dropTypedAhead true or false, got ${describeValue(dropTypedAhead)}.`);
	if (ask === undefined) return;
	if (typeof ask !== "function") throw new ConfigurationError(`askUser() takes as ask a function, got ${describeValue(ask)}.`);
	if (input !== undefined || output !== undefined || dropTypedAhead !== undefined) {
		throw new ConfigurationError("askUser() takes either ask or input, output and dropTypedAhead: a function asks as it likes.");
	}
}

function checkStream(name: string, stream: unknown, method: unknown): void {
	if (stream === undefined || typeof method === "function") return;
	throw new ConfigurationError(`askUser() takes as ${name} a stream of node:stream, got ${describeValue(stream)}.`);
}

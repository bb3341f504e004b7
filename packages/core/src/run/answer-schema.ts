import type { JSONSchema7, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { messageOf } from "../text/message-of.js";
import { parametersOf } from "../tool/schema-parameters.js";
import type { ToolArguments } from "../tool/tool.js";

/** What answers are to look like: a Standard Schema that can give its JSON Schema (zod 4, arktype, valibot through `toStandardJsonSchema`), or plain JSON Schema, of an object. */
export type AnswerSchema = StandardSchemaV1 | JSONSchema7;

/** Answers of a certain form. */
export interface AnswerForm {
	/** What the model is told of it. */
	readonly responseFormat: NonNullable<LanguageModelV4CallOptions["responseFormat"]>;
	/** What a text is as such an answer, or why it is none. */
	readonly read: (text: string) => Promise<ToolArguments>;
}

/** Throws ConfigurationError for what no answer can be like. */
export function answerForm(schema: AnswerSchema): AnswerForm {
	const { schema: described, validate } = parametersOf({ what: "Cannot ask for answers of this schema", noun: "schema" }, schema);
	return {
		responseFormat: { type: "json", schema: described },
		read: async (text) => {
			const parsed = parsedAnswer(text);
			return parsed.ok ? validate(parsed.value) : parsed;
		},
	};
}

function parsedAnswer(text: string): ToolArguments {
	try {
		return { ok: true, value: JSON.parse(withoutFence(text.trim())) as unknown };
	} catch (error) {
		return { ok: false, message: `not valid JSON (${messageOf(error).slice(0, 200)})` };
	}
}

const FENCE = "```";
const OPENING = /^```(?:json)?[^\S\n]*\n/;

/** Some models put a fence around JSON, whatever they are asked for. Both ends are looked at apart: one pattern for both takes quadratic time. */
function withoutFence(text: string): string {
	const [opening] = OPENING.exec(text) ?? [];
	return opening === undefined || !text.endsWith(FENCE) ? text : text.slice(opening.length, -FENCE.length);
}

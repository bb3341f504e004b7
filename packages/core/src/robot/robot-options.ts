import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Embedder } from "../embedding/embedder.js";
import type { ModelChoice } from "../model/model.js";
import type { AgentSkillCatalog } from "../skill/agent-skill-catalog.js";
import type { ReaderOptions } from "../stream/event-reader.js";
import type { OpenRun } from "../stream/open-run.js";
import type { TemplateContext } from "../template/template.js";
import type { Tool } from "../tool/tool.js";
import type { RetryOptions } from "./retry.js";

/** What may be shared by several robots; a robot's own options win over its `config`. */
export interface RobotSettings {
	/** A language model of the AI SDK, `"provider/model"` or `"offline"`. Default: `config().model`; without either a ConfigurationError. */
	readonly model?: ModelChoice;
	/** Default: the provider's. Providers' ranges differ, mostly 0 to 1 or 0 to 2. */
	readonly temperature?: number;
	/** Sample from the likeliest tokens that make up this share of the probability, above 0 to 1. Default: the provider's. */
	readonly topP?: number;
	/** Sample from this many of the likeliest tokens, 1 or more. Default: the provider's; not every provider takes it. */
	readonly topK?: number;
	/** Output tokens of one reply. Default: the provider's. Reaching it ends the run with `length`. */
	readonly maxTokens?: number;
	/** Makes tokens that were used already less likely, mostly -2 to 2. Default: the provider's. */
	readonly presencePenalty?: number;
	/** Makes tokens less likely the more often they were used, mostly -2 to 2. Default: the provider's. */
	readonly frequencyPenalty?: number;
	/** Texts at which the model stops; they are not part of the answer. Default: none. */
	readonly stop?: readonly string[];
	/** A whole number with which a provider that takes it gives the same answer again, as far as it can. Default: none. */
	readonly seed?: number;
	/** Headers added to every request of the model. Default: none. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Handed to the provider as it is, under the provider's own key. Default: nothing. */
	readonly providerOptions?: LanguageModelV4CallOptions["providerOptions"];
	/** Rounds of tool calls one run may take. Default 20. One more that the model asks for ends the run with `tool_limit`. */
	readonly maxToolRounds?: number;
	/** How a failing model is asked again. A number is the count of retries. Default 2, exponential from 500 ms. */
	readonly retries?: number | RetryOptions;
	/** Called with each piece of text as it arrives. Must not throw; what it throws, or rejects with, is reported once as a process warning and changes nothing. */
	readonly onContent?: (chunk: ContentChunk) => void;
}

/** A piece of the answer, as it arrives. */
export interface ContentChunk {
	readonly content: string;
}

/** How a robot is made. */
export interface RobotOptions extends RobotSettings {
	/** Which robot it is, in results and messages. Not blank. */
	readonly name: string;
	/** What it is for, for those who choose among robots. */
	readonly description?: string;
	/** Absent: the model gets no system message unless a template or a skill brings one. */
	readonly systemPrompt?: string;
	/**
	 * The id of a template: `"support"` is `support.md` in the template directory (`config().templatePath`). Its text comes before
	 * `systemPrompt`, its model keys count less than `config` and this robot's own options. Read when the robot is made.
	 */
	readonly template?: string;
	/** Values for the parameters of the template and its skills. A value that none of them takes is a ConfigurationError. */
	readonly context?: TemplateContext;
	/** Tools the model may call in every run. Names are unique. */
	readonly localTools?: readonly Tool[];
	/**
	 * Where a message's skills are chosen from: a catalog, names looked up in `AgentSkillCatalog.instance`, or `"auto"` for all that
	 * catalog knows. A name that the catalog does not know is that of a template skill: a template whose text comes before the robot's own in
	 * every run. Absent or an empty list: none but those that the template names. A name nobody knows is a ConfigurationError of the run.
	 */
	readonly skills?: AgentSkillCatalog | readonly string[] | "auto";
	/** How skills are matched. Default: the lexical embedder with its own threshold, at most 3 skills. */
	readonly matching?: SkillMatching;
	/** Settings this robot starts from; its own options win. */
	readonly config?: RobotSettings;
}

export interface SkillMatching {
	/** What makes vectors of the message and of the skills' descriptions. Default: `lexicalEmbedder()`, which needs no model. */
	readonly embedder?: Embedder;
	/** The most skills one message matches, 1 or more. Default 3. */
	readonly topK?: number;
	/** The cosine from which a skill matches, inclusive; its range is the embedder's, mostly 0 to 1. Default: the embedder's own. */
	readonly threshold?: number;
}

/** What one run takes besides its message. */
export interface RunOptions {
	/** Ends the run at any moment; the result then says `aborted` and holds what had been said. */
	readonly signal?: AbortSignal;
	/** Called after the robot's own `onContent`; the same contract. */
	readonly onContent?: (chunk: ContentChunk) => void;
	/**
	 * The run beneath which this one runs, in the same log and no longer than it: a tool hands on its `context.run`. An abort of that run ends
	 * this one, too. Default: a root run with a log of its own.
	 */
	readonly parent?: OpenRun;
	/**
	 * Which tools the model gets: `"inherit"` (default) all the robot has and the matched skills bring, `"none"` no tool at all,
	 * a list those named in it. A name nobody has is a ConfigurationError.
	 */
	readonly tools?: "inherit" | "none" | readonly string[];
	/** Values for the template's parameters, over those of the robot. */
	readonly context?: TemplateContext;
}

/** What a run that is watched takes besides. */
export interface StreamOptions extends Omit<RunOptions, "parent">, ReaderOptions {
	/** How many of the last events `log` keeps, for readers that come later or come back. Default 1024. */
	readonly history?: number;
}

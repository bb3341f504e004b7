import type { Hook } from "../hook/hook.js";
import type { Memory } from "../memory/memory.js";
import type { AnswerSchema } from "../run/answer-schema.js";
import type { ReaderOptions } from "../stream/event-reader.js";
import type { OpenRun } from "../stream/open-run.js";
import type { TemplateContext } from "../template/template.js";
import type { Selection } from "../value/selection.js";
import type { Attachment } from "./attachments.js";

/** A piece of the answer, as it arrives. */
export interface ContentChunk {
	readonly content: string;
}

/** What is said of a run by those within whom it is one: the task, and its network. */
export interface Inherited {
	/** In whose name the run writes to a memory that it is given: the task's. Default: the robot's. */
	readonly writer?: string | undefined;
	/** The network's hooks, outside of the robot's own. */
	readonly hooks?: readonly Hook[] | undefined;
	readonly task?: { readonly tools?: Selection | undefined; readonly mcp?: Selection | undefined };
	readonly network?: { readonly tools?: Selection | undefined; readonly mcp?: Selection | undefined };
}

/** What one run takes besides its message. */
export interface RunOptions {
	/** Ends the run at any moment; the result then says `aborted` and holds what had been said. */
	readonly signal?: AbortSignal | undefined;
	/** Files that go with the message: paths, URLs, or bytes with their media type. Text is put into the message. Default: none. */
	readonly with?: Attachment | readonly Attachment[] | undefined;
	/**
	 * What the run's tools are handed as `context.memory`: another memory for this run alone, or values to be set in the robot's own, where they
	 * stay. Default: the robot's own.
	 */
	readonly memory?: Memory | Readonly<Record<string, unknown>> | undefined;
	/** Hooks of this run alone, inside all others. Default: none. */
	readonly hooks?: readonly Hook[] | undefined;
	/** Called after the robot's own `onContent`; the same contract. */
	readonly onContent?: ((chunk: ContentChunk) => void) | undefined;
	/**
	 * The run beneath which this one runs, in the same log and no longer than it: a tool hands on its `context.run`. An abort of that run ends
	 * this one, too. Default: a root run with a log of its own.
	 */
	readonly parent?: OpenRun | undefined;
	/**
	 * Which tools the model is told of in this run: `"inherit"` (default) what the robot says and, where it says nothing, those above it; `"none"`, or
	 * those of these names: the robot's own, matched skills' and MCP servers'. A name nobody has is a ConfigurationError.
	 */
	readonly tools?: Selection | undefined;
	/** The same for MCP servers: words and names, of the robot's servers and the configuration's. */
	readonly mcp?: Selection | undefined;
	/** What counts less than the robot's own `tools` and `mcp`, and more than the configuration's: what a task and its network say. The network's hooks. Default: nothing. */
	readonly inherited?: Inherited | undefined;
	/** What the answer of this run is to look like, in the place of the robot's own `schema`. */
	readonly schema?: AnswerSchema | undefined;
	/**
	 * Names of skills that are activated in this run, whatever the message: the robot's, or those of its catalog. A message that begins with `/name` says
	 * the same. A name nobody knows is a ConfigurationError. Default: none; what fits is chosen.
	 */
	readonly skills?: readonly string[] | undefined;
	/** Values for the template's parameters, over those of the robot. */
	readonly context?: TemplateContext | undefined;
}

/** What a run that is watched takes besides. */
export interface StreamOptions extends Omit<RunOptions, "parent">, ReaderOptions {
	/** How many of the last events `log` keeps, for readers that come later or come back. Default 1024. */
	readonly history?: number | undefined;
}

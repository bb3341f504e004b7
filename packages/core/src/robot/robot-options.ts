import type { ApprovalOptions } from "../approval/approval-options.js";
import type { AnyMessageBus } from "../bus/any-message-bus.js";
import type { SkillsConfig } from "../config/config.js";
import type { Embedder } from "../embedding/embedder.js";
import type { Hook } from "../hook/hook.js";
import type { EmbeddingCache } from "../matching/embedding-cache.js";
import type { SkillSource } from "../skill/skill-source.js";
import type { TemplateContext } from "../template/template.js";
import type { Tool } from "../tool/tool.js";
import type { RobotSettings } from "./robot-settings.js";

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
	/** Tools the model may call in every run: a list, a ToolManifest, anything that can be iterated. Names are unique. */
	readonly localTools?: Iterable<Tool>;
	/**
	 * Where a message's skills are chosen from: a catalog or another source, names looked up in `AgentSkillCatalog.instance`, or `"auto"` for all that
	 * catalog knows. A name that the catalog does not know is that of a template skill: a template whose text comes before the robot's own in
	 * every run. Absent or an empty list: none but those that the template names. A name nobody knows is a ConfigurationError of the run.
	 */
	readonly skills?: SkillSource | readonly string[] | "auto";
	/** How skills are matched, and how they reach the model. Default: what the configuration says (`config().skills`). */
	readonly matching?: SkillMatching;
	/**
	 * Whether somebody is asked before scripts of its skills run whose bundle nobody approved as it is, and which lock holds. Robots that it spawns have
	 * the same. Tools that it is given as `localTools` are not of its skills: `withApproval()` wraps those. Default: nobody is asked.
	 */
	readonly approval?: ApprovalOptions;
	/** Called before, around and after what its runs do, inside those of the process and of a network. Default: none. */
	readonly hooks?: readonly Hook[];
	/** The bus on which it sends and gets messages, under its name. Default: none until `withBus()` or `spawn()`. */
	readonly bus?: AnyMessageBus;
	/** Settings this robot starts from, which may be shared; its own options win. */
	readonly config?: RobotSettings;
}

export interface SkillMatching {
	/**
	 * What makes vectors of the message and of the skills' names, descriptions and example messages. Default: that of `config().skills.embedder`, else
	 * `lexicalEmbedder()`.
	 */
	readonly embedder?: Embedder;
	/** The most skills one message activates, 1 or more. Default: `config().skills.topK`, 3. */
	readonly topK?: number;
	/** The most skills the model is told of besides, 0 or more. Default: `config().skills.candidates`, 6. */
	readonly candidates?: number;
	/**
	 * The score from which a skill is activated, inclusive: a cosine, or with example messages a mean of two; its range is the embedder's, mostly 0 to 1. Default:
	 * the embedder's confidence decides.
	 */
	readonly threshold?: number;
	/** Where vectors of the skills' texts are kept on disk, for embedders that take their time. Default: nowhere. */
	readonly cache?: EmbeddingCache;
	/** What answers where the embedder fails or is slow. Default: `lexicalEmbedder()`. `false`: nothing does; the run fails, and the embedder is waited for. */
	readonly fallback?: Embedder | false;
	/** How long a message waits for the embedder before the fallback answers, in milliseconds, 1 or more. Default 2,000. */
	readonly timeoutMs?: number;
	/** `prepend`: instructions are in the prompt; `tool`: the model loads them; `both`. Default: `config().skills.activation`, `both`. */
	readonly activation?: SkillsConfig["activation"];
	/** Bytes of instructions that one message may bring into the prompt. Default: `config().skills.maxBytes`, 64 KiB. */
	readonly maxBytes?: number;
}

import type { Selection } from "../value/selection.js";
import type { McpServerOptions } from "./mcp-server-options.js";

/**
 * How much a script may use, at most. A limit that is absent does not limit.
 *
 * `outputBytes` always holds. The others hold while `sandbox.enabled` is true and `@robot-lab/sandbox` runs the scripts; a script with one
 * that cannot be held on this computer is refused (`grant_not_expressible`) and not run. Otherwise scripts run without them, and a process
 * warning says so. Every process that a script starts has the same limits and cannot raise them, with one exception: where nothing
 * confines scripts and the host is root, a hostile script can.
 */
export interface ResourceLimits {
	/**
	 * Address space of each process, in MiB: what it has mapped, which is more than it uses. Node 24, for instance, maps more than 1 GiB before it
	 * runs anything. Not on macOS.
	 */
	readonly memoryMb?: number;
	/** Processes and threads at one time, the script's own included. Under bubblewrap only, and not where the host is root. */
	readonly processes?: number;
	/** Size of any one file that is written, in MiB. */
	readonly fileSizeMb?: number;
	/** Processor time of each process, in seconds. */
	readonly cpuSeconds?: number;
	/** Output that is kept, in bytes. */
	readonly outputBytes?: number;
}

/** How scripts are confined: the word for what a strategy is called, or `auto` for the one that fits the platform. */
export type SandboxBackend = "auto" | "seatbelt" | "bubblewrap" | "none";

/** Whether scripts are confined, and the most any skill is granted. */
export interface SandboxConfig {
	/** Confine scripts. Default false. While it is true and `@robot-lab/sandbox` is not imported no script runs at all. */
	readonly enabled: boolean;
	/** Roots a skill may be granted to read. `~` and paths relative to the host process's directory are allowed. Default `["."]`. */
	readonly fsRead: readonly string[];
	/** Roots a skill may be granted to write. Default none. */
	readonly fsWrite: readonly string[];
	/** Whether a skill may be granted the network. Default false. */
	readonly network: boolean;
	/** The longest a script may run, in whole seconds. Default 60. */
	readonly timeout: number;
	/** Which strategy confines. `auto` (default) is Seatbelt on macOS and none elsewhere; a strategy that is named and cannot be had is a refusal. */
	readonly backend: SandboxBackend;
	/** Refuse to run what would run unconfined, other than bundles that are trusted. Default false. */
	readonly require: boolean;
	/** Keep files by which a script could have the host run code later, such as git hooks, read-only inside what it may write. Default true. */
	readonly protect: boolean;
	/**
	 * Directories whose bundles may claim `trust: core` and then run unconfined; an empty list trusts none. Default
	 * `["~/.prompts/skills"]`, also without a `sandbox` section. `~` and paths relative to the host process's directory are allowed.
	 * Looked at when a skill is loaded, on real paths: a later change is for skills loaded after it.
	 */
	readonly trustCore: readonly string[];
	/**
	 * What of the host's environment a script gets that runs unconfined while `enabled` is true: all of it (`keep`, default), or what a
	 * confined one gets (`scrub`). `scrub` is hygiene and no confinement: such a script can still read the environment of the host
	 * process, for instance in `/proc`.
	 */
	readonly env: "keep" | "scrub";
	/**
	 * Exact names of variables that a confined script gets of the host's environment besides those that every one gets, secrets included.
	 * Those that load code, such as `NODE_OPTIONS`, cannot be named. Default none.
	 */
	readonly envPass: readonly string[];
	/** The most a script may use. Default: no limits. */
	readonly limits: ResourceLimits;
}

/** How skills' scripts become tools. */
export interface ScriptsConfig {
	/** A script's working directory: the host process's (`work`, default) or the bundle's (`skill`). */
	readonly cwd: "work" | "skill";
	/** Whether only files with an executable bit are scripts. Default true; false takes any file with a known interpreter. */
	readonly requireExecutable: boolean;
	/** Bytes of a script's answer that the model sees. Default 32 KiB. */
	readonly maxModelBytes: number;
	/** Whether files in directories below `scripts/` are scripts, too. Default false: libraries that scripts import lie there. */
	readonly nested: boolean;
	/**
	 * Whether Python scripts that declare their dependencies inline (PEP 723) run through `uv run`, which installs these. Default `off`: they run
	 * as every other script. `uv` needs the program and a grant with the network.
	 */
	readonly pep723: "off" | "uv";
}

/**
 * What a host lets one bundle ask for, in the place of what its SKILL.md says: an absent `fsRead` is none. It is bounded by the ceiling as that is. Nothing
 * runs unconfined by it; a bundle that is trusted (`sandbox.trustCore`) is held to its grant.
 */
export interface SkillGrant {
	/** `~` and paths relative to the host process's directory are allowed. Default none. */
	readonly fsRead?: readonly string[];
	/** Default none. */
	readonly fsWrite?: readonly string[];
	/** Default false. */
	readonly network?: boolean;
	/** Whole seconds. Default what the SKILL.md says, else 60. */
	readonly timeout?: number;
	/** Default what the SKILL.md says, else none. */
	readonly limits?: ResourceLimits;
}

/** Where skills are found, which are taken, and how they reach a robot. */
export interface SkillsConfig {
	/**
	 * Directories that hold bundles, the earlier one first where two have a skill of one name. `~` and paths relative to the host process's directory
	 * are allowed. Default `["~/.prompts/skills"]`.
	 */
	readonly roots: readonly string[];
	/**
	 * Whether the places that agents share are roots, too: `.agents/skills` and `.claude/skills` of the host process's directory, where that is a
	 * project the user trusts, then the same two of the home directory. Default false.
	 */
	readonly discover: boolean;
	/** Whether a bundle that breaks the Agent Skills standard is loaded with warnings (`lenient`, default) or left out (`strict`). */
	readonly validation: "lenient" | "strict";
	/**
	 * How a skill that fits a message reaches the model. `prepend`: its instructions are in the prompt. `tool`: the model is told of it and asks
	 * for it (`load_skill`). `both` (default): what fits surely is in the prompt, what may fit is told of.
	 */
	readonly activation: "prepend" | "tool" | "both";
	/** A package that exports `embedder()`, e.g. `"@robot-lab/embeddings-en"`. Default: the lexical embedder, which needs no model. */
	readonly embedder?: string;
	/** The most skills one message activates. Default 3. */
	readonly topK: number;
	/** The most skills the model is told of besides those. Default 6. */
	readonly candidates: number;
	/** Bytes of instructions that one message may bring into the prompt; skills beyond it are told of instead. Default 64 KiB. */
	readonly maxBytes: number;
	/**
	 * What bundles may use that do not ask for it themselves, by their directories; `~` and paths relative to the host process's directory are allowed. Meant
	 * is the bundle that really lies there, links resolved, when a skill is loaded. Default: no grants.
	 */
	readonly grants: Readonly<Record<string, SkillGrant>>;
}

/** The resolved configuration: complete and deeply frozen. */
export interface Config {
	/** Absent until something sets a key of it; then complete. */
	readonly sandbox?: SandboxConfig;
	readonly scripts: ScriptsConfig;
	readonly skills: SkillsConfig;
	/** The model of robots that are given none, e.g. `"anthropic/claude-sonnet-4-5"`. */
	readonly model?: string;
	/** The directory of templates. `~` and paths relative to the host process's directory are allowed. Default `"prompts"`. */
	readonly templatePath: string;
	/**
	 * The MCP servers that robots may use, by their names. Each is started or reached when a run first needs it, and all robots of the process
	 * share it. A later layer replaces all of them. Default: none.
	 */
	readonly mcpServers?: Readonly<Record<string, McpServerOptions>>;
	/** Which of `mcpServers` robots use of which neither run, robot, task nor network says it. Default: all. */
	readonly mcp?: Selection;
	/** Which tools robots get of which neither run, robot, task nor network says it: of those each has. Default: all. */
	readonly tools?: Selection;
}

type Writable<T> = { -readonly [Key in keyof T]?: T[Key] | undefined };

/** What a draft function edits. The sections are always there; one that stays empty counts as absent. */
export interface ConfigDraft {
	sandbox: Writable<SandboxConfig>;
	scripts: Writable<ScriptsConfig>;
	skills: Writable<SkillsConfig>;
	model?: string | undefined;
	templatePath?: string | undefined;
	mcpServers?: Record<string, McpServerOptions> | undefined;
	mcp?: Selection | undefined;
	tools?: Selection | undefined;
}

/** What a change may contain: any part of a {@link ConfigDraft}. Only keys with a value change anything. */
export type ConfigChange = Partial<ConfigDraft>;

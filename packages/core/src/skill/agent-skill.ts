import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Capabilities } from "../capability/capabilities.js";
import { config } from "../config/configure.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { expandPath } from "../paths/expand-path.js";
import { readFileStart } from "../script/read-file-start.js";
import { describeValue } from "../text/describe-value.js";
import type { Tool } from "../tool/tool.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { readSkillFields, type SkillFields } from "./skill-fields.js";
import { listScripts, readScripts, type ScriptListing, type SkillScripts } from "./skill-scripts.js";

const MAX_BYTES = 1024 * 1024;

/** One skill: a directory with a SKILL.md and perhaps scripts. Immutable, and read once: later changes on disk are not seen. */
export class AgentSkill {
	readonly name: string;
	/** What the skill is for; messages are matched against it. */
	readonly description: string;
	/** The bundle's directory, absolute. */
	readonly path: string;
	/** What the bundle asks for. It gets what the ceiling allows of it. */
	readonly capabilities: Capabilities;
	/** The text below the front matter, trimmed. */
	readonly instructions: string;
	/** The front matter's `metadata`, deeply frozen; empty without one. */
	readonly metadata: Readonly<Record<string, unknown>>;
	declare readonly license?: string;
	declare readonly compatibility?: string;
	/** The front matter's `allowed-tools`, one entry per tool. */
	readonly allowedTools: readonly string[];
	readonly #doubts: readonly SkillDiagnostic[];
	#listing: Promise<ScriptListing> | undefined;
	readonly #scripts = new Map<boolean, Promise<SkillScripts>>();

	private constructor(fields: SkillFields, path: string, instructions: string) {
		this.name = fields.name;
		this.description = fields.description;
		this.path = path;
		this.capabilities = fields.capabilities;
		this.instructions = instructions;
		this.metadata = fields.metadata;
		if (fields.license !== undefined) this.license = fields.license;
		if (fields.compatibility !== undefined) this.compatibility = fields.compatibility;
		this.allowedTools = fields.allowedTools;
		this.#doubts = fields.diagnostics;
		Object.freeze(this);
	}

	/**
	 * Reads one bundle. Runs nothing of it.
	 *
	 * @param skillMdPath The SKILL.md itself, not its directory; `~` is expanded.
	 * @throws ConfigurationError for whatever is wrong, naming the file, the line where YAML has one, and what to do; its
	 * `cause` is the file system's or the parser's error.
	 */
	static async load(skillMdPath: string | URL): Promise<AgentSkill> {
		const file = filePath(skillMdPath);
		try {
			const text = await readText(file);
			// The parsers are a third of what importing this package costs, and a robot without skills needs neither.
			const { parseSkillFile } = await import("./parse-skill-file.js");
			const { frontMatter, instructions } = parseSkillFile(text);
			const directory = dirname(file);
			return new AgentSkill(readSkillFields(frontMatter, file, directory), directory, instructions);
		} catch (error) {
			throw loadError(file, error);
		}
	}

	/** The files directly in `scripts/`, absolute, sorted; none without the directory. */
	async scripts(): Promise<readonly string[]> {
		return (await this.#listed()).paths;
	}

	/** One tool per runnable script, in the order of {@link scripts}. The others are in {@link diagnostics} when they look like scripts. */
	async scriptTools(): Promise<readonly Tool[]> {
		return (await this.#read()).tools;
	}

	/** What is doubtful about the bundle: malformed fields, names the standard does not have, scripts that are no tools. */
	async diagnostics(): Promise<readonly SkillDiagnostic[]> {
		return [...this.#doubts, ...(await this.#read()).diagnostics];
	}

	#listed(): Promise<ScriptListing> {
		this.#listing ??= listScripts(this.path);
		return this.#listing;
	}

	/** Kept for each value of the one setting that decides which scripts are tools. */
	#read(): Promise<SkillScripts> {
		const { requireExecutable } = config().scripts;
		const earlier = this.#scripts.get(requireExecutable);
		if (earlier !== undefined) return earlier;
		const reading = this.#listed().then((listing) => readScripts(listing, this));
		this.#scripts.set(requireExecutable, reading);
		return reading;
	}
}

function filePath(skillMdPath: string | URL): string {
	try {
		if (skillMdPath instanceof URL) return fileURLToPath(skillMdPath);
		if (typeof skillMdPath === "string" && skillMdPath !== "") return expandPath(skillMdPath);
	} catch (cause) {
		throw new ConfigurationError(`Cannot load a skill from ${String(skillMdPath)}: ${(cause as Error).message}`, { cause });
	}
	throw new ConfigurationError(`Cannot load a skill from ${describeValue(skillMdPath)}: give the path of its SKILL.md.`);
}

async function readText(file: string): Promise<string> {
	const { bytes, size } = await readFileStart(file, MAX_BYTES + 1);
	if (size > MAX_BYTES) throw new ConfigurationError(`it is larger than ${MAX_BYTES} bytes. Move parts of it into files of the bundle.`);
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch (cause) {
		throw new ConfigurationError("it is not UTF-8 text. Save it as UTF-8.", { cause });
	}
}

function loadError(file: string, error: unknown): ConfigurationError {
	const start = `Cannot load the skill ${JSON.stringify(file)}:`;
	if (ConfigurationError.isInstance(error)) {
		return new ConfigurationError(`${start} ${error.message}`, { cause: error.cause ?? error });
	}
	const { code, message } = error as NodeJS.ErrnoException;
	return new ConfigurationError(`${start} ${READ_FAILURES[code ?? ""] ?? `${message}.`}`, { cause: error });
}

const READ_FAILURES: Readonly<Record<string, string>> = {
	ENOENT: "there is no such file. Give the path of a SKILL.md.",
	ENOTDIR: "there is no such file. Give the path of a SKILL.md.",
	not_a_file: "it is not a file. Give the path of the SKILL.md itself, not of its directory.",
	EACCES: "it may not be read. Change its permissions or those of its directory.",
	ELOOP: "it is a link that leads back to itself. Replace the link by a file.",
};

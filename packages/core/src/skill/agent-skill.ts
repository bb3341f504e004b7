import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Capabilities } from "../capability/capabilities.js";
import { config } from "../config/configure.js";
import { trustedDirectories } from "../config/resolve.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { expandPath } from "../paths/expand-path.js";
import { describeValue } from "../text/describe-value.js";
import type { Tool } from "../tool/tool.js";
import { type Bundle, readBundle } from "./read-bundle.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { listScripts, readScripts, type ScriptListing, type SkillScripts } from "./skill-scripts.js";
import { judgeTrust, withoutTrust } from "./trust.js";

/** One skill: a directory with a SKILL.md and perhaps scripts. Immutable, and read once: later changes on disk are not seen. */
export class AgentSkill {
	readonly name: string;
	/** What the skill is for; messages are matched against it. */
	readonly description: string;
	/** The bundle's directory, absolute; of a bundle that is trusted the real one, so that a link that leads elsewhere later changes nothing. */
	readonly path: string;
	/** What the bundle asks for. It gets what the ceiling allows of it. A trust it may not claim (`sandbox.trustCore`) is `external` here. */
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

	private constructor({ fields, directory, instructions }: Bundle) {
		this.name = fields.name;
		this.description = fields.description;
		this.path = directory;
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
			return new AgentSkill(await readTrusted(file));
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

/** The bundle with the trust that the host lets it have. */
async function readTrusted(file: string): Promise<Bundle> {
	const claim = await readBundle(file, dirname(file));
	if (!claim.fields.capabilities.isCore) return claim;
	const verdict = judgeTrust(file, trustedDirectories(config()));
	if (verdict.refusal !== undefined) return withoutTrust(claim, verdict.refusal);
	// Again, from where no link is on the way: what was read first may have come from somewhere else.
	return readBundle(verdict.skillMdPath, verdict.directory);
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

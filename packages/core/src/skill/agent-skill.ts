import { dirname } from "node:path";
import type { Capabilities } from "../capability/capabilities.js";
import { config } from "../config/configure.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import type { ScriptInspection } from "../script/inspect-script.js";
import type { Tool } from "../tool/tool.js";
import { notePlace } from "./bundle-place.js";
import { realOrNothing } from "./look-into.js";
import type { Bundle } from "./read-bundle.js";
import { readFailure } from "./read-failure.js";
import { readTrusted } from "./read-trusted.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { SkillInvalidError } from "./skill-invalid-error.js";
import { skillPath } from "./skill-path.js";
import { diagnoseNeeds, listScripts, readScripts, type ScriptListing, type SkillScripts } from "./skill-scripts.js";
import { type ValidationMode, validationMode } from "./validation-mode.js";

/** How {@link AgentSkill.load} reads a bundle. */
export interface LoadSkillOptions {
	/**
	 * Whether a bundle that breaks the Agent Skills standard is refused (`strict`), or loaded with diagnostics where it can be used all the same
	 * (`lenient`). Default `config().skills.validation`, which is `lenient` unless somebody set it.
	 */
	readonly validation?: ValidationMode;
}

/** What is known of a bundle that was found. */
export interface KnownPlace {
	/** Its directory, all links resolved. */
	readonly real: string;
	/** A project's real path that its SKILL.md has to lie in. Absent where it may lie anywhere. */
	readonly within?: string | undefined;
}

/** Loads the SKILL.md of a bundle that was found, as {@link AgentSkill.load} does. */
export let loadFound: (skillMdPath: string, place: KnownPlace) => Promise<AgentSkill>;

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
	readonly #scripts = new Map<string, Promise<SkillScripts>>();

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
	 * `cause` is the file system's or the parser's error. For what a SKILL.md says it is a {@link SkillInvalidError}, which has every diagnostic.
	 */
	static async load(skillMdPath: string | URL, options: LoadSkillOptions = {}): Promise<AgentSkill> {
		const file = skillPath(skillMdPath, "load a skill from", "give the path of its SKILL.md");
		checkNames("AgentSkill.load()", options, ["validation"]);
		const mode = validationMode("AgentSkill.load()", "validation", options.validation);
		const real = await realOrNothing(dirname(file));
		return AgentSkill.#load(file, mode, real === undefined ? undefined : { real });
	}

	static {
		loadFound = (file, place) => AgentSkill.#load(file, validationMode("AgentSkill.load()", "validation", undefined), place);
	}

	static async #load(file: string, mode: ValidationMode, place: KnownPlace | undefined): Promise<AgentSkill> {
		try {
			const skill = new AgentSkill(await readTrusted(file, mode, place?.within));
			if (place !== undefined) notePlace(skill, place.real);
			return skill;
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

	/** What each file is that may be a script: those of {@link scripts}, then with `scripts.nested` those deeper. {@link scriptTools} has one tool per script. */
	async inspectScripts(): Promise<readonly ScriptInspection[]> {
		return (await this.#read()).inspections;
	}

	/**
	 * What is doubtful about the bundle: malformed fields, names the standard does not have, scripts that are no tools, and what the others need
	 * that is not here.
	 *
	 * @param options.needs Whether it is looked for what scripts need: interpreters on `PATH` and their versions, anew each time. Default true.
	 */
	async diagnostics({ needs = true }: { readonly needs?: boolean } = {}): Promise<readonly SkillDiagnostic[]> {
		const scripts = await this.#read();
		const unmet = needs ? await diagnoseNeeds(scripts, this.capabilities) : [];
		return [...this.#doubts, ...scripts.diagnostics, ...unmet];
	}

	#listed(): Promise<ScriptListing> {
		this.#listing ??= listScripts(this);
		return this.#listing;
	}

	/** Kept for each choice of the settings that decide which scripts are tools and how they start. */
	#read(): Promise<SkillScripts> {
		const { requireExecutable, nested, pep723 } = config().scripts;
		const settings = `${requireExecutable} ${nested} ${pep723}`;
		const earlier = this.#scripts.get(settings);
		if (earlier !== undefined) return earlier;
		const reading = this.#listed().then((listing) => readScripts(listing, this));
		this.#scripts.set(settings, reading);
		return reading;
	}
}

function loadError(file: string, error: unknown): ConfigurationError {
	const start = `Cannot load the skill ${JSON.stringify(file)}:`;
	if (SkillInvalidError.isInstance(error)) {
		return new SkillInvalidError(`${start} ${error.message}`, error.diagnostics, { cause: error.cause ?? error });
	}
	if (ConfigurationError.isInstance(error)) return new ConfigurationError(`${start} ${error.message}`, { cause: error.cause ?? error });
	return new ConfigurationError(`${start} ${readFailure(error)}`, { cause: error });
}

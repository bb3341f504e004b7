import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Capabilities } from "../capability/capabilities.js";
import { grantedInstead } from "../capability/granted.js";
import { flawText, keptOf } from "../config/check.js";
import type { SkillGrant } from "../config/config.js";
import { config } from "../config/configure.js";
import { skillGrant } from "../config/skill-grants-check.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import type { ScriptInspection } from "../script/inspect-script.js";
import type { Tool } from "../tool/tool.js";
import { grantedPlaces } from "./granted-places.js";
import type { Instructions } from "./instructions.js";
import { realOrNothing } from "./look-into.js";
import type { Bundle } from "./read-bundle.js";
import { readFailure } from "./read-failure.js";
import { readTrusted } from "./read-trusted.js";
import type { SkillDiagnostic } from "./skill-diagnostic.js";
import { SkillInvalidError } from "./skill-invalid-error.js";
import { skillPath } from "./skill-path.js";
import {
	diagnoseNeeds,
	listScripts,
	NO_SCRIPTS,
	readScripts,
	type ScriptListing,
	type SkillScripts,
	withoutScripts,
} from "./skill-scripts.js";
import { type ValidationMode, validationMode } from "./validation-mode.js";

/** How {@link AgentSkill.load} reads a bundle. */
export interface LoadSkillOptions {
	/**
	 * Whether a bundle that breaks the Agent Skills standard is refused (`strict`), or loaded with diagnostics where it can be used all the same
	 * (`lenient`). Default `config().skills.validation`, which is `lenient` unless somebody set it.
	 */
	readonly validation?: ValidationMode;
	/** What it may use in the place of what its SKILL.md asks for. Default: what `config().skills.grants` has for the directory that it really lies in. */
	readonly grant?: SkillGrant;
}

/** What is known of a bundle that was found. */
export interface KnownPlace {
	/** Its directory, all links resolved. */
	readonly real: string;
	/** False where there was nothing called `scripts` in it when it was found. */
	readonly hasScripts: boolean;
	/** A project's real path that its SKILL.md has to lie in. Absent where it may lie anywhere. */
	readonly within?: string | undefined;
	/** What the host granted it. */
	readonly grant?: SkillGrant | undefined;
}

/** Loads the SKILL.md of a bundle that was found, as {@link AgentSkill.load} does. */
export let loadFound: (skillMdPath: string, place: KnownPlace) => Promise<AgentSkill>;

/**
 * The real path of a bundle's directory: of a skill that was loaded the one that it had then, so that a link which somebody puts there later leads
 * to no files of another place. Throws the file system's error for what is no loaded skill and is not there.
 */
export let placeOf: (skill: { readonly path: string }) => string;

/** One skill: a directory with a SKILL.md and perhaps scripts. Immutable, and read once: later changes on disk are not seen. */
export class AgentSkill {
	readonly name: string;
	/** What the skill is for; messages are matched against it. */
	readonly description: string;
	/** The bundle's directory, absolute; of a bundle that is trusted, or that something was granted to, the real one, so that a link that leads elsewhere later changes nothing. */
	readonly path: string;
	/** What its scripts get as far as the ceiling allows: {@link declared}, or what the host granted in its place. */
	readonly capabilities: Capabilities;
	/** What its SKILL.md asks for. A trust it may not claim (`sandbox.trustCore`) is `external` here. The same object as {@link capabilities} where the host granted nothing. */
	readonly declared: Capabilities;
	/** The front matter's `metadata`, deeply frozen; empty without one. */
	readonly metadata: Readonly<Record<string, unknown>>;
	declare readonly license?: string;
	declare readonly compatibility?: string;
	/** The front matter's `allowed-tools`, one entry per tool. */
	readonly allowedTools: readonly string[];
	readonly #instructions: Instructions;
	readonly #doubts: readonly SkillDiagnostic[];
	readonly #place: string | undefined;
	#listing: ScriptListing | undefined;
	#scripts: Map<string, Promise<SkillScripts>> | undefined;

	private constructor({ fields, directory, instructions }: Bundle, place: KnownPlace | undefined) {
		this.name = fields.name;
		this.description = fields.description;
		this.path = directory;
		const grant = place?.grant;
		this.declared = fields.capabilities;
		this.capabilities = grant === undefined ? this.declared : grantedInstead(this.declared, grant);
		this.#instructions = instructions;
		this.metadata = fields.metadata;
		if (fields.license !== undefined) this.license = fields.license;
		if (fields.compatibility !== undefined) this.compatibility = fields.compatibility;
		this.allowedTools = fields.allowedTools;
		this.#doubts = fields.diagnostics;
		this.#place = place?.real;
		if (place?.hasScripts === false) this.#listing = NO_SCRIPTS;
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
		checkNames("AgentSkill.load()", options, ["validation", "grant"]);
		const given = checkedGrant(options.grant);
		const mode = validationMode("AgentSkill.load()", "validation", options.validation);
		const real = realOrNothing(dirname(file));
		const grant = given ?? (real === undefined ? undefined : grantedPlaces().grants.get(real));
		return AgentSkill.#load(file, mode, real === undefined ? undefined : { real, hasScripts: true, grant });
	}

	static {
		loadFound = (file, place) => AgentSkill.#load(file, validationMode("AgentSkill.load()", "validation", undefined), place);
		placeOf = (skill) => (#place in skill ? skill.#place : undefined) ?? realpathSync.native(skill.path);
	}

	static async #load(file: string, mode: ValidationMode, place: KnownPlace | undefined): Promise<AgentSkill> {
		try {
			return new AgentSkill(await readTrusted(placed(file, place), mode, place?.within), place);
		} catch (error) {
			throw loadError(file, error);
		}
	}

	/**
	 * The text below the front matter, trimmed. As it was when the skill was loaded; made of the file's bytes each time, and so no own property: copies by
	 * `{ ...skill }` and JSON do not have it.
	 */
	get instructions(): string {
		return this.#instructions.text;
	}

	/** The files directly in `scripts/`, absolute, sorted; none without the directory. */
	async scripts(): Promise<readonly string[]> {
		return this.#listed().paths;
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
		if (scripts.inspections.length === 0 && scripts.diagnostics.length === 0) return this.#doubts;
		const unmet = needs ? await diagnoseNeeds([{ inspections: scripts.inspections, capabilities: this.capabilities }]) : [];
		return [...this.#doubts, ...scripts.diagnostics, ...unmet];
	}

	#listed(): ScriptListing {
		this.#listing ??= listScripts(this.path, this.#place);
		return this.#listing;
	}

	/** Kept for each choice of the settings that decide which scripts are tools and how they start. */
	#read(): Promise<SkillScripts> | SkillScripts {
		const listing = this.#listed();
		if (listing === NO_SCRIPTS) return withoutScripts(this);
		const { requireExecutable, nested, pep723 } = config().scripts;
		const settings = `${requireExecutable} ${nested} ${pep723}`;
		this.#scripts ??= new Map();
		const earlier = this.#scripts.get(settings);
		if (earlier !== undefined) return earlier;
		const reading = readScripts(listing, this);
		this.#scripts.set(settings, reading);
		return reading;
	}
}

/** What something was granted to is read where it really lies. */
const placed = (file: string, place: KnownPlace | undefined): string =>
	place?.grant === undefined ? file : join(place.real, basename(file));

function checkedGrant(grant: SkillGrant | undefined): SkillGrant | undefined {
	if (grant === undefined) return undefined;
	const flaw = flawText("grant", grant, skillGrant);
	if (flaw !== undefined) throw new ConfigurationError(`AgentSkill.load(): ${flaw}.`);
	return keptOf(grant, skillGrant) as SkillGrant;
}

function loadError(file: string, error: unknown): ConfigurationError {
	const start = `Cannot load the skill ${JSON.stringify(file)}:`;
	if (SkillInvalidError.isInstance(error)) {
		return new SkillInvalidError(`${start} ${error.message}`, error.diagnostics, { cause: error.cause ?? error });
	}
	if (ConfigurationError.isInstance(error)) return new ConfigurationError(`${start} ${error.message}`, { cause: error.cause ?? error });
	return new ConfigurationError(`${start} ${readFailure(error)}`, { cause: error });
}

import type { ApprovalOptions } from "../approval/approval-options.js";
import { config } from "../config/configure.js";
import { snakeCase } from "../config/snake-case.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { DependencyError } from "../errors/dependency-error.js";
import type { ModelChoice } from "../model/model.js";
import { resolveModel } from "../model/resolve-model.js";
import type { Delegate } from "../robot/delegation-future.js";
import { Robot } from "../robot/robot.js";
import type { RobotOptions, SkillMatching } from "../robot/robot-options.js";
import { type RobotTemplates, settingsOf } from "../robot/robot-templates.js";
import type { AgentSkillCatalog } from "../skill/agent-skill-catalog.js";
import { describeValue } from "../text/describe-value.js";
import { checkValuesUsed, takenBy, valuesFor } from "./declared-context.js";
import { type DeclaredKind, declaredValues } from "./declared-kinds.js";
import { DeclaredCounts } from "./declared-limits.js";
import { type DeclaredMap, namesText } from "./declared-map.js";
import { madeOf } from "./declared-options.js";
import { checkDeclaredServers } from "./declared-servers.js";
import { declaredSkills } from "./declared-skills.js";
import type { DeclaredTask } from "./declared-tasks.js";
import { declaredTemplates } from "./declared-templates.js";

/** What of a robot a file can say, besides its skills: plain values, and of MCP servers only the names of those that are configured. */
const SETTINGS = {
	description: "text",
	template: "text",
	context: "values",
	systemPrompt: "text",
	model: "text",
	temperature: "number",
	topP: "number",
	topK: "number",
	maxTokens: "number",
	presencePenalty: "number",
	frequencyPenalty: "number",
	stop: "texts",
	seed: "number",
	reasoning: "text",
	tools: "selection",
	mcp: "selection",
	mcpDiscovery: "flag",
	maxTools: "number",
	maxToolRounds: "number",
	doomLoopThreshold: "number",
	tokenBudget: "number",
	autoCompact: "compaction",
	compactThreshold: "number",
	contextWindow: "number",
	retries: "number",
} as const satisfies Partial<Record<keyof RobotOptions, DeclaredKind>>;

const KEYS = [...Object.keys(SETTINGS).map(snakeCase), "skills"];
const MORE = "What else a robot takes, code gives it: loadNetwork(path, { robots }).";

type Settings = Pick<RobotOptions, keyof typeof SETTINGS>;

/** Where a file's robots come from besides the file. */
export interface RobotSources {
	/** Those that code gives, by the names that tasks have for them. */
	readonly robots: ReadonlyMap<string, Delegate>;
	/** Of robots that name none. */
	readonly model: ModelChoice | undefined;
	readonly skills: AgentSkillCatalog;
	/** Of each of them. */
	readonly approval: ApprovalOptions | undefined;
	readonly matching: SkillMatching | undefined;
	/** Whether the packages of their models are imported now. */
	readonly importModels: boolean;
}

/** The robots of a file. Each is made when it is first asked for, so that one in whose place code gives another needs no template. */
export class DeclaredRobots {
	readonly #map: DeclaredMap;
	readonly #sources: RobotSources;
	readonly #made = new Map<string, Promise<Delegate>>();
	readonly #read = new Map<string, RobotTemplates>();

	constructor(map: DeclaredMap, sources: RobotSources) {
		this.#map = map;
		this.#sources = sources;
		new DeclaredCounts().add("robots", map.keys.length, map);
	}

	/** Makes those that no task names, too, as far as code does not give them. Rejects with ConfigurationError for one that cannot be. */
	async checkAll(): Promise<void> {
		for (const name of this.#map.keys) await this.#get(name);
	}

	/**
	 * The robot that a task names. Rejects with ConfigurationError for one that nobody knows.
	 *
	 * @param at Where it is named.
	 */
	of(name: string, at: DeclaredMap): Promise<Delegate> {
		if (this.#isGiven(name) || this.#map.keys.includes(name)) return this.#get(name);
		const known = [...new Set([...this.#map.keys, ...this.#sources.robots.keys()])];
		throw at.error("robot", `names ${describeValue(name)}, which is no robot`, namesText(name, known));
	}

	/**
	 * The names of a task's values that its robots take. `undefined` where code gives one: it may take any. Throws ConfigurationError where nothing
	 * uses one, and where a template lacks one: it would be missing in every run.
	 *
	 * @param names The task's robots.
	 */
	valuesTaken(task: DeclaredTask, names: readonly string[]): ReadonlySet<string> | undefined {
		const own = names.filter((name) => !this.#isGiven(name));
		if (own.length > 0) checkDeclaredServers(task.map);
		const templates = new Map(own.map((name) => [name, this.#templates(name)]));
		const takes = new Set([...templates.values()].flatMap((each) => [...takenBy(each.expand().templates)]));
		const taken = own.length === names.length ? takes : undefined;
		if (taken !== undefined) checkValuesUsed(task, taken);
		const values = valuesFor(taken, task.context?.written ?? {});
		for (const each of templates.values()) task.map.within(task.context && "context", () => each.render(each.expand().templates, values));
		return taken;
	}

	#isGiven(name: string): boolean {
		return this.#sources.robots.has(name);
	}

	#get(name: string): Promise<Delegate> {
		const given = this.#sources.robots.get(name);
		if (given !== undefined) return Promise.resolve(given);
		const known = this.#made.get(name) ?? this.#make(name);
		this.#made.set(name, known);
		return known;
	}

	async #make(name: string): Promise<Robot> {
		const map = this.#map.map(name);
		const settings = this.#settings(map);
		checkDeclaredServers(map);
		const templates = this.#templates(name);
		const skills = await declaredSkills(map, templates, this.#sources.skills);
		const named = settings.model ?? settingsOf(templates.expand().templates).model;
		const model = named ?? this.#sources.model;
		const { approval, matching } = this.#sources;
		const asked = { ...(approval && { approval }), ...(matching && { matching }) };
		const more = { ...(model !== undefined && { model }), ...(skills !== undefined && { skills }), ...asked };
		const robot = madeOf(map, settings, (some) => new Robot({ name, ...more, ...some }));
		if (this.#sources.importModels) await importModel(named === undefined ? undefined : map, model ?? config().model);
		return robot;
	}

	#settings(map: DeclaredMap): Settings {
		map.checkKeys(KEYS, MORE);
		return declaredValues(map, SETTINGS, snakeCase) as Settings;
	}

	/** Read once: every task of the robot asks. */
	#templates(name: string): RobotTemplates {
		const known = this.#read.get(name);
		if (known !== undefined) return known;
		const map = this.#map.map(name);
		const { template, context } = this.#settings(map);
		const given = { ...(template !== undefined && { template }), ...(context !== undefined && { context }) };
		const templates = madeOf(map, given, declaredTemplates);
		this.#read.set(name, templates);
		return templates;
	}
}

/**
 * Rejects with DependencyError for a package that is missing, and with ConfigurationError for what else is no model.
 *
 * @param map The robot that names it; `undefined` where the file does not.
 */
async function importModel(map: DeclaredMap | undefined, model: ModelChoice | undefined): Promise<void> {
	try {
		if (model !== undefined) await resolveModel(model);
	} catch (error) {
		if (map === undefined || !ConfigurationError.isInstance(error)) throw error;
		const message = `${map.place()}: ${error.message}`;
		throw DependencyError.isInstance(error)
			? new DependencyError(error.dependency, message, { cause: error })
			: new ConfigurationError(message, { cause: error });
	}
}

/** Throws ConfigurationError for robots given by code that no task names: a name mistyped would leave the file's own in its place. */
export function checkGivenRobots(given: ReadonlyMap<string, Delegate>, named: ReadonlySet<string>): void {
	const idle = [...given.keys()].find((name) => !named.has(name));
	if (idle === undefined) return;
	throw new ConfigurationError(
		`loadNetwork() was given the robot ${describeValue(idle)}, which no task of the file names. ${namesText(idle, [...named])}`,
	);
}

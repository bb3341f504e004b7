import { type AgentSkill, type AgentSkillCatalog, type ApprovalOptions, skillTools, type Tool } from "@robot-lab/core";

/** What clients are offered at one moment. */
export interface Served {
	/** By name, sorted. */
	readonly skills: ReadonlyMap<string, AgentSkill>;
	/** By the names that clients know them by. */
	readonly tools: ReadonlyMap<string, ServedTool>;
}

export interface ServedTool {
	readonly tool: Tool;
	readonly skill: AgentSkill;
	/** What the skill's instructions call it. */
	readonly script: string;
}

export interface ServedSkillsOptions {
	readonly catalog: AgentSkillCatalog;
	readonly approval: ApprovalOptions | undefined;
	/** Told after each change, once what there is now is offered. */
	readonly onChange: () => void;
}

const AT_ONCE = 32;

/** The skills of a catalog and the tools of their scripts, as they are while the catalog is watched. */
export class ServedSkills implements Disposable {
	readonly #options: ServedSkillsOptions;
	readonly #watching: Disposable;
	#current: Promise<Served>;

	constructor(options: ServedSkillsOptions) {
		this.#options = options;
		this.#watching = options.catalog.watch(() => this.#change());
		this.#current = this.#read();
	}

	/** Rejects with the configuration's error where it cannot be read. */
	get current(): Promise<Served> {
		return this.#current;
	}

	[Symbol.dispose](): void {
		this.#watching[Symbol.dispose]();
	}

	#change(): void {
		const before = this.#current;
		// what is there is offered as long as what comes cannot be read
		const after = this.#read().catch(() => before);
		this.#current = after;
		after.then(this.#options.onChange, () => {});
	}

	async #read(): Promise<Served> {
		const { catalog, approval } = this.#options;
		const skills = new Map((await catalog.all()).map((skill) => [skill.name, skill]));
		const tools = new Map<string, ServedTool>();
		const all = [...skills.values()];
		for (const [index, skill] of all.entries()) {
			// each keeps what it reads: some together take a fraction of the time that one after the other takes
			if (index % AT_ONCE === 0) await Promise.all(all.slice(index, index + AT_ONCE).map((next) => next.scriptTools()));
			// in the order of the scripts
			const own = [...(await skillTools(skill, { taken: tools, approval }))];
			const scripts = await skill.scriptTools();
			for (const [place, [name, tool]] of own.entries()) tools.set(name, { tool, skill, script: scripts[place]?.name ?? name });
		}
		return { skills, tools };
	}
}

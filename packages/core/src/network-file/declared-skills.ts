import type { RobotTemplates } from "../robot/robot-templates.js";
import type { AgentSkill } from "../skill/agent-skill.js";
import { AgentSkillCatalog } from "../skill/agent-skill-catalog.js";
import type { SkillDiagnostic } from "../skill/skill-diagnostic.js";
import { describeValue } from "../text/describe-value.js";
import { declaredValue } from "./declared-kinds.js";
import { type DeclaredMap, namesText } from "./declared-map.js";

/**
 * The skills of a robot in a file: all of the catalog (`auto`), or those that it and its template name. `undefined`: none. Rejects with
 * ConfigurationError for a skill that the catalog does not know.
 */
export async function declaredSkills(
	robot: DeclaredMap,
	templates: RobotTemplates,
	catalog: AgentSkillCatalog,
): Promise<AgentSkillCatalog | undefined> {
	const skills = declaredValue(robot, "skills", "skills") as "auto" | readonly string[] | undefined;
	if (skills === "auto") return catalog;
	for (const name of skills ?? []) if ((await catalog.find(name)) === undefined) throw await unknownSkill(robot, name, catalog);
	const names = [...(skills ?? []), ...templates.names];
	return names.length === 0 ? undefined : new ChosenSkills(catalog, names);
}

async function unknownSkill(robot: DeclaredMap, name: string, catalog: AgentSkillCatalog): Promise<Error> {
	const known = (await catalog.all()).map((skill) => skill.name);
	const where = catalog === AgentSkillCatalog.instance ? AgentSkillCatalog.SKILLS_ROOT : "the folders given";
	const flaw = `names ${describeValue(name)}, which is no skill in ${where}`;
	return robot.error("skills", flaw, `${namesText(name, known)} ${ELSEWHERE}`);
}

const ELSEWHERE =
	"Other folders are given by loadNetwork(path, { skills: new AgentSkillCatalog(…) }); on the command line, by --skills DIR.";

/** Some skills of a catalog. */
class ChosenSkills extends AgentSkillCatalog {
	readonly #catalog: AgentSkillCatalog;
	readonly #names: ReadonlySet<string>;

	constructor(catalog: AgentSkillCatalog, names: Iterable<string>) {
		super([]);
		this.#catalog = catalog;
		this.#names = new Set(names);
	}

	override async find(name: string): Promise<AgentSkill | undefined> {
		return this.#names.has(name) ? this.#catalog.find(name) : undefined;
	}

	override async all(): Promise<readonly AgentSkill[]> {
		return (await this.#catalog.all()).filter(({ name }) => this.#names.has(name));
	}

	override diagnostics(): Promise<readonly SkillDiagnostic[]> {
		return this.#catalog.diagnostics();
	}
}

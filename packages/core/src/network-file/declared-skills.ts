import type { RobotTemplates } from "../robot/robot-templates.js";
import { AgentSkillCatalog, listOfRoots } from "../skill/agent-skill-catalog.js";
import type { SkillSource } from "../skill/skill-source.js";
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
): Promise<SkillSource | undefined> {
	const skills = declaredValue(robot, "skills", "skills") as "auto" | readonly string[] | undefined;
	if (skills === "auto") return catalog;
	for (const name of skills ?? []) if ((await catalog.find(name)) === undefined) throw await unknownSkill(robot, name, catalog);
	const names = [...(skills ?? []), ...templates.names];
	return names.length === 0 ? undefined : someOf(catalog, names);
}

async function unknownSkill(robot: DeclaredMap, name: string, catalog: AgentSkillCatalog): Promise<Error> {
	const known = (await catalog.all()).map((skill) => skill.name);
	const where = catalog === AgentSkillCatalog.instance ? listOfRoots(catalog) : "the folders given";
	const flaw = `names ${describeValue(name)}, which is no skill in ${where}`;
	return robot.error("skills", flaw, `${namesText(name, known)} ${ELSEWHERE}`);
}

const ELSEWHERE =
	"Other folders are given by loadNetwork(path, { skills: new AgentSkillCatalog(…) }); on the command line, by --skills DIR.";

/** Some skills of a catalog. */
function someOf(catalog: AgentSkillCatalog, chosen: Iterable<string>): SkillSource {
	const names = new Set(chosen);
	return {
		find: async (name) => (names.has(name) ? catalog.find(name) : undefined),
		all: async () => (await catalog.all()).filter(({ name }) => names.has(name)),
	};
}

import { join } from "node:path";
import { processSurroundings } from "../config/config-files.js";
import { config, configState } from "../config/configure.js";
import { TEST_ENVIRONMENT } from "../config/environment-name.js";
import { judgeProject, type ProjectVerdict, realOrNothing } from "../config/project-trust.js";
import { expandPath } from "../paths/expand-path.js";
import { openToOthers } from "../paths/open-to-others.js";

/** A directory in which skills are looked for. */
export interface SkillRoot {
	/** Absolute. */
	readonly path: string;
	/** `own`: somebody named it. `project`, `user`: a place that agents share, of the working directory or of the home directory. */
	readonly scope: "own" | "project" | "user";
	/** Of a root of a project: whose it is, and whether the user trusts it. Nothing is read of one that is not trusted. */
	readonly project?: { readonly directory: string; readonly verdict: ProjectVerdict };
}

/** What the order of roots follows from. */
export interface RootSurroundings {
	/** Directories that somebody named, absolute. */
	readonly own: readonly string[];
	/** Whether the places that agents share count, too. */
	readonly discover: boolean;
	/** Absent where there is none. */
	readonly home?: string;
	/** The working directory, absent where there is none any more or where it is the home directory. */
	readonly project?: NonNullable<SkillRoot["project"]>;
}

/** Most agents read the first, Claude Code the second. */
const SHARED = [join(".agents", "skills"), join(".claude", "skills")] as const;

/**
 * Roots in the order in which they count: those that somebody named, as they named them; then the project's; then the user's; of both
 * `.agents/skills` before `.claude/skills`. Each once. Pure.
 */
export function rootsInOrder({ own, discover, home, project }: RootSurroundings): readonly SkillRoot[] {
	const roots: readonly SkillRoot[] = [
		...own.map((path) => ({ path, scope: "own" }) as const),
		...(!discover || project === undefined
			? []
			: SHARED.map((place) => ({ path: join(project.directory, place), scope: "project", project }) as const)),
		...(!discover || home === undefined ? [] : SHARED.map((place) => ({ path: join(home, place), scope: "user" }) as const)),
	];
	return roots.filter(({ path }, index) => roots.findIndex((root) => root.path === path) === index);
}

/**
 * The roots that the configuration gives, now: `skills.roots` and, where `skills.discover` is on, the places that agents share. Reads the
 * configuration, and whether the working directory is a project that the user trusts; throws as `config` does. In the environment `test` the places of the home
 * directory are none.
 *
 * @param own Directories in the place of `skills.roots`; `~` is expanded.
 */
export function skillRoots(own: readonly string[] = config().skills.roots): readonly SkillRoot[] {
	const { discover } = config().skills;
	const { environment, trust } = configState();
	const { home, directory } = processSurroundings();
	const isProject = directory !== undefined && (home === undefined || realOrNothing(home, home) !== realOrNothing(directory, home));
	return Object.freeze(
		rootsInOrder({
			own: own.map((path) => expandPath(path)),
			discover,
			...(home !== undefined && environment !== TEST_ENVIRONMENT && { home }),
			...(discover && isProject && { project: { directory, verdict: judgeProject(directory, trust) } }),
		}).map((root) => Object.freeze(closed(root))),
	);
}

/** A place of a trusted project that others may fill is not the project's own word. */
function closed(root: SkillRoot): SkillRoot {
	const refusal = root.project?.verdict.isTrusted === true ? openToOthers(root.path) : undefined;
	return root.project === undefined || refusal === undefined
		? root
		: { ...root, project: { directory: root.project.directory, verdict: { isTrusted: false, refusal } } };
}

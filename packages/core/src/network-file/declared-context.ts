import type { ConfigurationError } from "../errors/configuration-error.js";
import type { Template, TemplateContext } from "../template/template.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import { type DeclaredMap, namesText } from "./declared-map.js";
import { type DeclaredBatch, type DeclaredTask, textsOf } from "./declared-tasks.js";

/** The names of the values that templates take. */
export const takenBy = (templates: readonly Template[]): ReadonlySet<string> =>
	new Set(templates.flatMap(({ parameters, body }) => [...parameters.keys(), ...body.named]));

/** Those of a task's values that its robot is given. @param taken `undefined`: whatever there is. */
export function valuesFor(taken: ReadonlySet<string> | undefined, values: TemplateContext): TemplateContext {
	return taken === undefined ? values : Object.fromEntries(Object.entries(values).filter(([name]) => taken.has(name)));
}

/** Throws ConfigurationError for values of a task's context that neither its texts nor its robots use. @param taken What its robots take. */
export function checkValuesUsed(task: DeclaredTask, taken: ReadonlySet<string>): void {
	const texts = textsOf(task).map(({ text }) => text);
	if (task.context === undefined || texts.some(({ takesAll }) => takesAll)) return;
	const named = new Set(texts.flatMap(({ context }) => [...context]));
	const unused = Object.keys(task.context.written).find((name) => !taken.has(name) && !named.has(name));
	if (unused === undefined) return;
	const robots = task.fallback !== undefined && "robot" in task.fallback ? [task.robot, task.fallback.robot] : [task.robot];
	const whose = robots.map((name) => describeValue(name)).join(" and ");
	const flaw = `has ${describeValue(unused)}, which neither the task's texts use nor the template of ${whose} takes`;
	const uses = `The texts use ${listOf(named)}, the template takes ${listOf(taken)}.`;
	throw task.map.error("context", flaw, `${didYouMean(unused, [...named, ...taken])} ${uses}`.trimStart());
}

const listOf = (names: ReadonlySet<string>): string => (names.size === 0 ? "nothing" : [...names].sort().join(", "));

/**
 * Throws ConfigurationError for a value that runs will be given and no text of the file names, and where one that a text needs will not be given.
 *
 * @param given The names of the values that runs will be given.
 */
export function checkRunContext(file: DeclaredMap, batches: readonly DeclaredBatch[], given: readonly string[]): void {
	const texts = batches.flatMap(({ tasks }) => tasks.flatMap(textsOfRun));
	const named = new Set(texts.flatMap(({ names }) => names));
	const unused = texts.some(({ takesAll }) => takesAll) ? undefined : given.find((name) => !named.has(name));
	if (unused !== undefined) {
		throw file.error(undefined, `has no text that uses context.${unused}`, namesText(unused, [...named].sort()));
	}
	for (const { needed, lacks } of texts) {
		const missing = needed.filter((path) => !given.includes(firstOf(path)));
		if (missing.length > 0) throw lacks(missing);
	}
}

const firstOf = (path: string): string => path.split(".")[0] ?? "";

interface TextOfRun {
	readonly names: readonly string[];
	readonly needed: readonly string[];
	readonly takesAll: boolean;
	readonly lacks: (missing: readonly string[]) => ConfigurationError;
}

/** The texts of a task as a run's context sees them: what the task's own context gives, the run need not. */
function textsOfRun(task: DeclaredTask): readonly TextOfRun[] {
	const own = new Set(Object.keys(task.context?.written ?? {}));
	return [
		...(task.context?.texts ?? []).map((text) => ({ text, shadowed: new Set<string>() })),
		...textsOf(task).map(({ text }) => ({ text, shadowed: own })),
	].map(({ text, shadowed }) => ({
		names: [...text.context].filter((name) => !shadowed.has(name)),
		needed: [...text.needed].filter((path) => !shadowed.has(firstOf(path))),
		takesAll: text.takesAll,
		lacks: (missing) => text.lacks(missing),
	}));
}

import { bashOf, markFileFor, selfMarking } from "./bash-marking.js";
import { type Mark, marking, markLauncher } from "./mark.js";
import { hasProcFiles } from "./proc-files.js";
import type { RunPlan } from "./run-plan.js";

/** Makes a plan whose command carries the mark, and is otherwise the same. */
export type Marking = (plan: RunPlan, mark: Mark) => RunPlan;

/** The cheapest way of marking that the plan's command allows, or `undefined` where there is none that works. */
export async function markingFor(plan: RunPlan): Promise<Marking | undefined> {
	if (!hasProcFiles) return undefined;
	const bash = bashOf(plan);
	const markFile = bash === undefined ? undefined : await markFileFor(bash);
	if (markFile !== undefined) return (marked, mark) => selfMarking(marked, mark, markFile);
	const launcher = await markLauncher();
	if (launcher === undefined) return undefined;
	return (marked, mark) => ({ ...marked, command: marking(launcher, mark, marked.command) });
}

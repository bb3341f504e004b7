import type { Memory } from "../memory/memory.js";
import type { HookFacts, HookFamily, HookResult } from "./hook-facts.js";

/** Whose hooks are called, and in which run. */
export interface HookSurroundings {
	/** The robot. Absent in the hooks of a network's run. */
	readonly robotName?: string | undefined;
	/** Absent where there is no run: `robot.learn()` outside of one. */
	readonly runId?: string | undefined;
	/** Aborted when the run ends early. */
	readonly signal?: AbortSignal | undefined;
	/** What the robot knows in this run. */
	readonly memory?: Memory | undefined;
}

interface Common<Family extends HookFamily> extends HookSurroundings {
	readonly family: Family;
	/** This hook's own, for the whole of one run: what it keeps in `beforeRun` it finds in `afterToolCall`. No other hook sees it. */
	readonly local: Record<string, unknown>;
}

/** What a hook is told before something is done, and around it. What it sets counts for everybody who is told later. */
export type HookContext<Family extends HookFamily> = Common<Family> & HookFacts[Family];

/** What a hook is told after something was done. What it sets as `result` is what it came to. */
export type FinishedHookContext<Family extends HookFamily> = Common<Family> & Readonly<HookFacts[Family]> & { result: HookResult<Family> };

/** What a hook is told of a failure. Tell the families apart by `family`. */
export type FailedHookContext = {
	readonly [Family in HookFamily]: Common<Family> &
		Readonly<HookFacts[Family]> & {
			/** What was thrown, as it is: it need not be an Error. */
			readonly error: unknown;
		};
}[HookFamily];

/** Does what the hook stands around, with the hooks further in. May be called once. */
export type HookNext<Family extends HookFamily> = () => Promise<HookResult<Family>>;

/** What an around answers with: what `next` gave, or something of the same kind in its place. */
export type HookAnswer<Family extends HookFamily> = HookResult<Family> | Promise<HookResult<Family>>;

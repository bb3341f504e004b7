import type { Confinement, SandboxRefusalCode, ScriptResult } from "@robot-lab/core";
import type { BoundedRunOptions, Enclosure } from "@robot-lab/core/process";

/** What a strategy is called. `none` is the one that confines nothing. */
export type StrategyName = Confinement;

/** What else the process needs that runs a wrapped command. */
export interface StrategySpawn {
	readonly env?: Readonly<Record<string, string>>;
	/** Descriptors and gates: index i becomes 3 + i in the process, and at a gap nothing is done. */
	readonly fds?: NonNullable<BoundedRunOptions["fds"]>;
	/** What ends with the process all that it has started. */
	readonly enclosure?: Enclosure;
}

/** Whether this computer can confine in one way, or why not. */
export type Readiness =
	| { readonly ok: true }
	| {
			readonly ok: false;
			readonly code: SandboxRefusalCode;
			/** What is wrong and what to do. */
			readonly message: string;
	  };

/** One way of confining one command at a time: `wrap`, run, `conclude`, `cleanup`. After `cleanup`, and not before it, the same may be done again. */
export interface Strategy {
	readonly name: StrategyName;
	/** Whether it works on this computer, tried for real once in a process. Default: there is nothing that could fail. Never rejects. */
	probe?(): Promise<Readiness>;
	/** The argv to run instead of `command`. Rejects with a SandboxUnavailableError when it cannot confine. */
	wrap(command: readonly string[]): Promise<readonly string[]>;
	/** Known once `wrap` has resolved. */
	readonly spawn?: StrategySpawn;
	/** Puts right what a run that is over looks like from outside, before `cleanup`. Default: it looks as it was. Never throws. */
	conclude?(result: ScriptResult): ScriptResult | Promise<ScriptResult>;
	/** Removes what `wrap` left behind. May be called at any time and more than once; never throws. */
	cleanup(): Promise<void>;
}

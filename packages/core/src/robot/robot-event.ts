import type { RobotResult } from "../message/robot-result.js";
import type { SkillMatch } from "../skill/matcher.js";
import type { LifecycleReason } from "../stream/lifecycle-reason.js";
import type { ScriptOutcome } from "../stream/script-outcome.js";

/** What happens in a run, as it happens. */
export type RobotEvent =
	/** Told once, before the first request, when the robot has skills to choose from. Empty `matches`: none fitted. */
	| { readonly type: "skills_matched"; readonly matches: readonly SkillMatch[] }
	/**
	 * Something the run went on without: a setting the provider does not know, a matcher that failed, or, with `skill`, a script or a
	 * right of a matched skill that cannot be used as it is written.
	 */
	| { readonly type: "warning"; readonly message: string; readonly skill?: string }
	| { readonly type: "text_delta"; readonly delta: string }
	| {
			readonly type: "tool_call_started";
			readonly id: string;
			/** The name the model used, `<skill>__<script>` for a skill's script. */
			readonly name: string;
			readonly args: unknown;
			/** The skill the tool comes from. Its `capabilities` are what the script asked for. */
			readonly skill?: string;
	  }
	/** Output of a tool that still runs. */
	| { readonly type: "tool_output"; readonly id: string; readonly chunk: string; readonly stream: "stdout" | "stderr" }
	/** A step in the life of a script: `sandbox_boot`, `command_start`, … */
	| { readonly type: "tool_lifecycle"; readonly id: string; readonly reason: LifecycleReason; readonly detail?: object }
	| {
			readonly type: "tool_call_ended";
			readonly id: string;
			readonly name: string;
			/** What the model gets to read. */
			readonly result: string;
			/** Whether the tool threw, refused its arguments, or is a script that did not end with exit code 0. */
			readonly isError: boolean;
			readonly durationMs: number;
			/** How the script ended, where the tool is one. Absent for a call that never came so far, or was left behind by an abort. */
			readonly script?: ScriptOutcome;
	  }
	/** The model failed and is asked again after `delayMs`. `attempt` is the one that failed, from 1. */
	| { readonly type: "retry"; readonly attempt: number; readonly delayMs: number; readonly message: string }
	| { readonly type: "finished"; readonly result: RobotResult };

import { outputBudget, type ResourceLimits, type ScriptOptions } from "@robot-lab/core";
import type { BoundedRunOptions } from "@robot-lab/core/process";

/** Of what a caller asks for, what the runner takes as it is, with no more output than the grant allows. */
export function callersBounds(options: ScriptOptions, limits: ResourceLimits): BoundedRunOptions {
	const { stdin, signal, streams, onOutput } = options;
	return {
		maxOutputBytes: outputBudget(options, limits),
		...(stdin !== undefined && { stdin }),
		...(signal !== undefined && { signal }),
		...(streams !== undefined && { streams }),
		...(onOutput !== undefined && { onOutput }),
	};
}

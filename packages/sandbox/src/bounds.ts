import type { ScriptOptions } from "@robot-lab/core";
import type { BoundedRunOptions } from "@robot-lab/core/process";

/** Of what a caller asks for, what the runner takes as it is. */
export function callersBounds({ stdin, signal, maxOutputBytes, streams, onOutput }: ScriptOptions): BoundedRunOptions {
	return {
		...(stdin !== undefined && { stdin }),
		...(signal !== undefined && { signal }),
		...(maxOutputBytes !== undefined && { maxOutputBytes }),
		...(streams !== undefined && { streams }),
		...(onOutput !== undefined && { onOutput }),
	};
}

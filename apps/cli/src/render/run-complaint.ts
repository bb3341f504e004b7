import type { StreamEvent } from "@robot-lab/core";
import { duration } from "./duration.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

/** What an event of a run puts on standard error: what the run goes on without, and what it tries again. @param whose Stands before it. */
export function runComplaint({ event, data }: StreamEvent, style: Style, whose = ""): string {
	// what is wrong with a skill stands at the beginning of a report, that of skills that do not match included
	if (event === "metadata.updated" && data.type === "warning" && data.skill === undefined)
		return `${style.warning("warning:")} ${whose}${printableLine(data.message)}\n`;
	if (event !== "step.failed" || data.retryInMs === undefined) return "";
	return `${style.warning("retry:")} ${whose}in ${duration(data.retryInMs)}, ${printableLine(data.error.message, 300)}\n`;
}

import type { StreamEvent } from "@robot-lab/core";
import { duration } from "./duration.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

/** What an event of a run puts on standard error: what the run goes on without, and what it tries again. */
export function runComplaint({ event, data }: StreamEvent, style: Style): string {
	if (event === "metadata.updated" && data.type === "warning") return `${style.warning("warning:")} ${printableLine(data.message)}\n`;
	if (event !== "step.failed" || data.retryInMs === undefined) return "";
	return `${style.warning("retry:")} in ${duration(data.retryInMs)}, ${printableLine(data.error.message, 300)}\n`;
}

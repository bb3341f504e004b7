import { sumUsage, type TokenUsage } from "../stream/token-usage.js";
import type { AgentUsage, OutputEvent } from "./output-event.js";
import { countersIn } from "./usage-facts.js";

/**
 * What the runs of these events used, together. Of each message its last usage counts, and the messages of a run add up; a counter that
 * the run as a whole reported stands for that sum, because it is no further call. Runs add up. A usage that names no message is one of
 * its own; events that name no run are one run. A counter that nobody reported is absent, never 0. `extra` is left out: nobody can say
 * of other people's counters whether they add up.
 */
export function usageTotals(events: Iterable<OutputEvent>): TokenUsage {
	const runs = new Map<string, RunUsage>();
	for (const event of events) {
		const update = event?.update;
		if (update?.sessionUpdate !== "usage" || !update.usage) continue;
		const runId = event.runId ?? "";
		const run = runs.get(runId) ?? { messages: new Map(), whole: undefined };
		runs.set(runId, run);
		add(run, event, update);
	}
	return sumUsage([...runs.values()].map(({ messages, whole }) => ({ ...sumUsage(messages.values()), ...whole })));
}

interface RunUsage {
	/** By message; where an event names none, by its number, or by itself. */
	readonly messages: Map<unknown, TokenUsage>;
	whole: TokenUsage | undefined;
}

function add(run: RunUsage, event: OutputEvent, { scope, usage }: AgentUsage): void {
	const counters = countersIn(usage as object as Record<string, unknown>);
	if (scope === "run") run.whole = counters;
	else run.messages.set(event.messageId ?? event.sequenceNumber ?? event, counters);
}

import type { PlanEntry } from "../stream/stream-event.js";
import { isList } from "../text/describe-value.js";
import { isObject } from "../value/frozen-copy.js";
import type { Facts } from "./event-facts.js";

const STATUSES: ReadonlySet<unknown> = new Set<PlanEntry["status"]>(["pending", "in_progress", "completed"]);
const PRIORITIES: ReadonlySet<unknown> = new Set<PlanEntry["priority"]>(["high", "medium", "low"]);

/** A plan from its JSON, a list of entries. `undefined` where that, or one of the entries, is none: half a plan would be a wrong one. */
export function planEntries(json: string): readonly PlanEntry[] | undefined {
	const list = parsed(json);
	if (!isList(list) || !list.every(isEntry)) return undefined;
	return Object.freeze(list.map(({ content, status, priority }) => Object.freeze({ content, status, priority })));
}

function isEntry(entry: unknown): entry is PlanEntry {
	if (!isObject(entry)) return false;
	const { content, status, priority } = entry as Facts;
	return typeof content === "string" && STATUSES.has(status) && PRIORITIES.has(priority);
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

import type { OpenRun } from "../stream/open-run.js";
import type { NewPart, PartEnding, PartWriter } from "../stream/part-writer.js";
import type { FailureFacts } from "../stream/stream-event.js";
import { StreamEvents } from "../stream/stream-events.js";
import type { LogIds } from "./task-log-ids.js";

/** What runs of another log say in parts, and in events that are not their publishers' alone, said once more. */
export class ReplayedParts {
	readonly #ids: LogIds;
	/** Those that are open, by their ids in the other log. */
	readonly #open = new Map<unknown, PartWriter>();

	constructor(ids: LogIds) {
		this.#ids = ids;
	}

	/** @param run The one that says it in this log. */
	say(run: Pick<OpenRun, "part" | "publish">, event: string, facts: Readonly<Record<string, unknown>>): void {
		const { partId, ...told } = facts;
		const part = this.#open.get(partId);
		if (event === "part.created") {
			const begun = run.part(told as unknown as NewPart);
			this.#open.set(partId, begun);
			this.#ids.partBegun(partId, begun.partId);
		} else if (StreamEvents.isDelta(event)) {
			part?.delta(told.delta as string, told.stream as "stdout" | undefined);
		} else if (event === "part.completed") {
			this.#open.delete(partId);
			part?.complete(told as PartEnding);
		} else if (event === "part.failed") {
			this.#open.delete(partId);
			part?.fail(told.error as FailureFacts, told as PartEnding);
		} else run.publish(event, facts);
	}

	/** Ends those that are open. */
	breakOff(error: FailureFacts): void {
		for (const part of this.#open.values()) part.fail(error);
	}
}

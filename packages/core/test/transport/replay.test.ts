import { createWriteStream } from "node:fs";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventLog } from "../../src/stream/event-log.js";
import { readEvents } from "../../src/transport/read-events.js";
import { writeEvents } from "../../src/transport/write-events.js";
import type { OutputEvent } from "../../src/update/output-event.js";
import { lifecycleProjection } from "../../src/update/project-lifecycle.js";
import { outputProjection } from "../../src/update/project-output.js";
import { reduceToolCalls, type ToolCalls } from "../../src/update/reduce-tool-calls.js";
import { usageTotals } from "../../src/update/usage-totals.js";
import { plans, robotFor, runPlan } from "../robot/log/random-run.js";
import { temporaryDirectory } from "./temporary-directory.js";

function viewsOf(log: EventLog) {
	const events = log.after(0);
	return { output: events.flatMap(outputProjection().project), lifecycle: events.flatMap(lifecycleProjection().project) };
}

/** What a user interface shows in the end. */
function shown(output: readonly OutputEvent[]) {
	const texts: Record<string, string> = {};
	for (const { update, messageId, runId } of output) {
		if (!("content" in update) || !update.sessionUpdate.endsWith("_chunk")) continue;
		const key = `${update.sessionUpdate} ${messageId} ${runId}`;
		const { content } = update as { readonly content: { readonly text?: string } };
		texts[key] = (texts[key] ?? "") + (content.text ?? "");
	}
	const calls = output.reduce<ToolCalls>(reduceToolCalls, new Map());
	const cards = [...calls.values()].map(({ order: _, ...card }) => card);
	return { texts, cards, usage: usageTotals(output) };
}

describe("a run that was written and read back", () => {
	it("gives the same views: all the same updates, or with deltas joined the same of each state in the end", async () => {
		await using directory = await temporaryDirectory();
		let files = 0;
		let joined = 0;
		await fc.assert(
			fc.asyncProperty(plans, fc.boolean(), async (plan, isSlow) => {
				files += 1;
				const path = directory.file(`${files}.jsonl`);
				const log = new EventLog({ history: 1_000_000 });
				const robot = robotFor(plan);
				robot.on("event", log.publish);
				const file = createWriteStream(path, { highWaterMark: isSlow ? 1 : 1_000_000 });
				const written = writeEvents(log, file, { capacity: isSlow ? 1 : 1_000_000 });
				await runPlan(plan, robot);
				await written;
				await promisify(file.close.bind(file))();
				const replayed = new EventLog({ history: 1_000_000 });
				for await (const event of readEvents(path)) replayed.publish(event);

				expect(replayed.ended).toBe(true);
				const [before, after] = [viewsOf(log), viewsOf(replayed)];
				expect(after.lifecycle).toEqual(before.lifecycle);
				expect(shown(after.output)).toEqual(shown(before.output));
				if (!isSlow) expect(after.output).toEqual(before.output);
				else joined += log.after(0).length - replayed.after(0).length;
			}),
			{ numRuns: 60 },
		);
		expect(joined).toBeGreaterThan(0);
	});
});

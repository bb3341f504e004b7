import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Hook } from "../../src/hook/hook.js";
import { Robot } from "../../src/robot/robot.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { ScriptedModel } from "../../src/testing/scripted-model.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";

const never = (): Promise<never> => new Promise(() => {});
/** Long enough that a run which did not wait would be over. */
async function aWhile(): Promise<void> {
	for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

interface Aborted {
	readonly stopReason: string;
	readonly written: unknown[];
	readonly events: StreamEvent[];
	readonly prompts: number;
	readonly said: number;
}

/** A second run, aborted while the history is made shorter: by `hook`, or by the compaction, which never ends by itself. */
async function abortedRun(hookFor: (stop: () => void, written: unknown[]) => Partial<Hook>): Promise<Aborted> {
	const controller = new AbortController();
	const written: unknown[] = [];
	const model = new ScriptedModel(["one", "two"]);
	const stop = (): void => controller.abort(new Error("enough"));
	const compact = (): Promise<never> => {
		written.push("compacting");
		setImmediate(stop);
		return never();
	};
	const robot = new Robot({ name: "bob", model, autoCompact: compact });
	await robot.run("First.");
	const events: StreamEvent[] = [];
	robot.on("event", (event) => events.push(event));
	const hooks = [{ namespace: "x", ...hookFor(stop, written) } as Hook];
	const { stopReason } = await robot.run("Second.", { signal: controller.signal, hooks });
	expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
	assertWholeLog(events);
	return { stopReason, written, events, prompts: model.calls.length, said: robot.messages.length };
}

describe("Hooks of a compaction in a run that is aborted", () => {
	it("end what they do before the run does, and a compaction that was not begun is not begun any more", async () => {
		const { stopReason, written, prompts } = await abortedRun((stop, seen) => ({
			beforeCompaction: async () => {
				stop();
				await aWhile();
				seen.push("before ended");
			},
			onError: ({ error }) => seen.push(String(error)),
		}));
		expect(written).toEqual(["before ended", "Error: enough"]);
		expect([stopReason, prompts]).toEqual(["aborted", 1]);
	});

	it("are told of a compaction that was given up, which costs the run no warning", async () => {
		const { stopReason, written, events, said } = await abortedRun((_, seen) => ({
			aroundCompaction: async (_context, next) => {
				try {
					return await next();
				} finally {
					await aWhile();
					seen.push("around ended");
				}
			},
			afterCompaction: () => seen.push("never told"),
			onError: async ({ error }) => {
				await aWhile();
				seen.push(String(error));
			},
		}));
		expect(written).toEqual(["compacting", "around ended", "Error: enough"]);
		expect([stopReason, said]).toEqual(["aborted", 2]);
		expect(events.filter(({ event }) => event === "metadata.updated")).toEqual([]);
	});

	it("are left behind where they do not end", async () => {
		const { stopReason, written } = await abortedRun(() => ({ aroundCompaction: (_context, next) => next().catch(never) }));
		expect([stopReason, written]).toEqual(["aborted", ["compacting"]]);
	});
});

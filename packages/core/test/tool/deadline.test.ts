import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { EventLog } from "../../src/stream/event-log.js";
import { assertWholeLog } from "../../src/testing/whole-log.js";
import { callTool } from "../../src/tool/call-tool.js";
import { createTool, type ToolDefinition } from "../../src/tool/create-tool.js";
import { parseToolInput } from "../../src/tool/parse-tool-input.js";
import { runTool } from "../../src/tool/run-tool.js";
import type { Tool, ToolContext } from "../../src/tool/tool.js";
import type { ToolOutcome } from "../../src/tool/tool-outcome.js";

type Execute = ToolDefinition<unknown, Record<string, unknown>>["execute"];

const probe = (execute: Execute, options: Partial<Tool> = {}): Tool =>
	createTool({ name: "probe", description: "Probes.", execute, timeoutMs: 20, ...options });

const call = (tool: Tool, context: ToolContext = {}): Promise<ToolOutcome> =>
	callTool({ name: "probe", args: parseToolInput("{}") }, new Map([["probe", tool]]), context);

const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
	new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));

const timedOut = { text: "Error (timed out): the tool was given 20 ms and did not end in that time", isError: true, timedOut: true };

describe("A tool with timeoutMs", () => {
	it("has its signal aborted at that moment, and what it throws then is told as the end of its time", async () => {
		let reason: unknown;
		const outcome = await call(
			probe((_, { signal }) =>
				untilAborted(signal).catch((error) => {
					reason = error;
					throw new Error("SECRET half-way state");
				}),
			),
		);
		expect(outcome).toEqual(timedOut);
		expect(reason).toMatchObject({ name: "TimeoutError", message: "The tool did not end within 20 ms." });
	});

	it("is left behind a second later where it does not heed its signal", async () => {
		expect(await call(probe(() => new Promise(() => {})))).toEqual(timedOut);
	});

	it("keeps what it gives in that second", async () => {
		expect(await call(probe((_, { signal }) => untilAborted(signal).catch(() => "half of it")))).toEqual({
			text: "half of it",
			isError: false,
		});
	});

	it("is not begun where its time is up while its arguments are checked", async () => {
		let ran = false;
		const late = createTool({
			name: "probe",
			description: "Probes.",
			timeoutMs: 5,
			parameters: z.object({
				a: z
					.string()
					.default("x")
					.refine(async () => wait(50, true)),
			}),
			execute: () => { ran = true; }, // biome-ignore format: one line
		});
		expect(await call(late)).toMatchObject({ timedOut: true, text: expect.stringContaining("was given 5 ms") });
		expect(ran).toBe(false);
	});

	it("has a deadline in each call, counted from its own beginning", async () => {
		const begun: number[] = [];
		const tool = createTool({
			name: "probe",
			description: "Probes.",
			parameters: z.object({ ends: z.boolean() }),
			timeoutMs: 20,
			execute: async ({ ends }, { signal }) => {
				begun.push(begun.length);
				return ends ? "ended" : untilAborted(signal);
			},
		});
		const outcomes = await Promise.all(
			[false, true, false].map((ends) => callTool({ name: "probe", args: { ok: true, value: { ends } } }, new Map([["probe", tool]]), {})),
		);
		expect(outcomes).toEqual([timedOut, { text: "ended", isError: false }, timedOut]);
		expect(begun).toHaveLength(3);
	});

	it("ends as aborted where the run is aborted first, or in the second after its time", async () => {
		const first = new AbortController();
		const heeding = probe(
			(_, { signal }) => {
				queueMicrotask(() => first.abort(new Error("enough")));
				return untilAborted(signal);
			},
			{ timeoutMs: 60_000, raiseOnError: true },
		);
		expect(await call(heeding, { signal: first.signal })).toEqual({ text: "Error (probe): enough", isError: true });

		const later = new AbortController();
		const outcome = await call(
			probe(
				(_, { signal }) =>
					untilAborted(signal).catch(() => {
						later.abort();
						throw new Error("late");
					}),
				{ raiseOnError: true },
			),
			{ signal: later.signal },
		);
		expect(outcome).toEqual({ text: "Error (probe): late", isError: true });
	});

	it("leaves no listener on the signal of the run", async () => {
		const { signal } = new AbortController();
		await call(
			probe(() => "done"),
			{ signal },
		);
		await call(
			probe((_, { signal: own }) => untilAborted(own)),
			{ signal },
		);
		expect(getEventListeners(signal, "abort")).toEqual([]);
	});

	it("leaves no timer: a process whose tools ended ends", () => {
		const fixture = join(import.meta.dirname, "fixtures/ended-before.mjs");
		const { status, stdout, stderr } = spawnSync(process.execPath, [fixture], { encoding: "utf8", timeout: 50_000 });
		expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "done\n", stderr: "" });
	});

	it("ends what was begun beneath its call, and the log says why it failed", async () => {
		const log = new EventLog();
		const seen: (AbortSignal | undefined)[] = [];
		const outcome = await runTool(
			probe((_, { run, signal }) => {
				const begun = run?.begin({ name: "inner", scope: "task" });
				seen.push(signal, run?.signal);
				return untilAborted(begun?.signal);
			}),
			{},
			{ log },
		);
		expect(outcome).toEqual(timedOut);
		expect(seen[0]).toBe(seen[1]);
		assertWholeLog(log.after(0));
		expect(log.after(0).find(({ event }) => event === "part.failed")?.data).toMatchObject({ error: { code: "timed_out" } });
		expect(log.after(0).at(-2)).toMatchObject({ event: "run.interrupted", data: { reason: "timeout" } });
	});
});

describe("A tool with raiseOnError", () => {
	const broken = new Error("broken");
	const raising = { raiseOnError: true, timeoutMs: 20 } as const;

	it("answers with the text of the error and the very error", async () => {
		const outcome = await call(probe(() => Promise.reject(broken), raising));
		expect(outcome).toEqual({ text: "Error (probe): broken", isError: true, raised: { error: broken } });
		expect(outcome.raised?.error).toBe(broken);
		expect(await call(probe(() => Promise.reject(undefined), raising))).toHaveProperty("raised", { error: undefined });
	});

	it("raises what it threw when its time was up, or what its signal was aborted with", async () => {
		expect(await call(probe((_, { signal }) => untilAborted(signal).catch(() => Promise.reject(broken)), raising))).toEqual({
			...timedOut,
			raised: { error: broken },
		});
		expect((await call(probe(() => new Promise(() => {}), raising))).raised?.error).toMatchObject({ name: "TimeoutError" });
	});

	it("raises nothing for arguments that are wrong, a result that is no JSON, or a tool that answers for itself", async () => {
		const tools = new Map([["probe", probe(() => 1n, raising)]]);
		expect(await callTool({ name: "probe", args: { ok: true, value: { extra: 1 } } }, tools, {})).not.toHaveProperty("raised");
		expect(await callTool({ name: "probe", args: { ok: true, value: {} } }, tools, {})).not.toHaveProperty("raised");
		expect(await callTool({ name: "other", args: { ok: true, value: {} } }, tools, {})).not.toHaveProperty("raised");
		const own: Tool = { ...probe(() => 1, raising), call: () => Promise.reject(broken) };
		expect(await call(own)).toEqual({ text: "Error (probe): broken", isError: true });
		const forged = { text: "fine", isError: false, raised: { error: broken } };
		expect(await call({ ...own, call: async () => forged })).toEqual({ text: "fine", isError: false });
	});
});

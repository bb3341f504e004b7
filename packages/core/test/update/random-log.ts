import fc from "fast-check";
import type { StreamContext } from "../../src/stream/stream-context.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { published } from "./published.js";

interface Part {
	readonly run: Run;
	readonly context: StreamContext;
	readonly facts: { readonly partId: string; readonly type: string; readonly toolCallId?: string; readonly role?: "user" };
	deltas: string;
}

interface Run {
	readonly context: StreamContext;
	readonly runId: string;
	readonly above: Run | undefined;
	/** Calls that were asked for and have no output yet. */
	readonly calls: string[];
}

const DELTA_EVENTS: Readonly<Record<string, string>> = {
	text: "text.delta",
	reasoning: "reasoning.delta",
	"tool-call": "tool_call.arguments.delta",
	"tool-output": "tool_call.output.delta",
	data: "data.delta",
	file: "data.delta",
};

const PART_TYPES = ["text", "text", "reasoning", "file", "data"];

const CHILDREN = [{ parentToolCallId: "call-above", model: "a/b" }, {}];

const PLAN = '[{"content":"a","status":"pending","priority":"low"}]';

/** The events of a root run and of runs beneath it, as a well-behaved publisher makes them: parts side by side, retries, all kinds of ends. */
class RandomRun {
	readonly #tape: readonly Turn[];
	readonly #runs: Run[] = [];
	readonly #parts: Part[] = [];
	#made = 0;

	constructor(root: StreamContext, tape: readonly Turn[]) {
		this.#tape = tape;
		this.#begin(root, undefined, {});
	}

	publish(): void {
		for (const turn of this.#tape) this.#step(turn);
		const [root] = this.#runs;
		if (root === undefined) return;
		this.#end(root, this.#tape.length);
		root.context.publishEvent({ event: "stream.ended" });
	}

	#step({ action, choice, text }: Turn): void {
		const run = this.#runs[choice % this.#runs.length];
		const part = this.#parts[choice % Math.max(1, this.#parts.length)];
		if (run === undefined) return;
		if (part !== undefined && action === "delta") this.#delta(part, text);
		if (part !== undefined && action === "complete") this.#close(part, "part.completed");
		if (part !== undefined && action === "fail") this.#close(part, "part.failed");
		if (action === "part") this.#open(run, PART_TYPES[choice % PART_TYPES.length] ?? "text", choice % 3 === 0 ? { role: "user" } : {});
		if (action === "call") this.#open(run, "tool-call", { toolCallId: `call-${++this.#made}` });
		if (action === "output") this.#openOutput(run);
		if (action === "child") this.#begin(run.context.createChildContext(`run-${++this.#made}`), run, CHILDREN[choice % 2] ?? {});
		if (action === "end" && run.above !== undefined) this.#end(run, choice);
		if (action === "fact") this.#fact(run.context, choice);
	}

	#openOutput(run: Run): void {
		const toolCallId = run.calls.shift();
		if (toolCallId !== undefined) this.#open(run, "tool-output", { toolCallId });
	}

	#begin(context: StreamContext, above: Run | undefined, facts: object): void {
		context.publishEvent({ event: "run.started", data: { name: context.runId, ...facts } });
		this.#runs.push({ context, runId: context.runId, above, calls: [] });
	}

	#open(run: Run, type: string, facts: object): void {
		const named = type === "data" ? { name: "plan" } : type === "file" ? { mediaType: "image/png" } : {};
		const context = run.context.createContextForMessage(`message-${++this.#made}`);
		const part: Part = { run, context, facts: { partId: `part-${++this.#made}`, type, ...named, ...facts }, deltas: "" };
		context.publishEvent({ event: "part.created", data: part.facts });
		this.#parts.push(part);
	}

	#delta(part: Part, text: string): void {
		const { partId, type, toolCallId } = part.facts;
		const delta = type === "data" ? (part.deltas === "" ? PLAN : " ") : text;
		part.deltas += delta;
		const stream = type === "tool-output" ? { stream: delta.length % 2 === 0 ? "stdout" : "stderr" } : {};
		part.context.publishEvent({
			event: DELTA_EVENTS[type] ?? "",
			data: { partId, delta, ...(toolCallId !== undefined && { toolCallId }), ...stream },
		});
	}

	#close(part: Part, event: "part.completed" | "part.failed"): void {
		this.#parts.splice(this.#parts.indexOf(part), 1);
		const { type, toolCallId } = part.facts;
		const error = event === "part.failed" ? { error: { code: "x", message: "it failed" } } : {};
		const result = type === "tool-output" && part.deltas.length % 3 === 0 ? { result: `result of ${toolCallId}` } : {};
		part.context.publishEvent({ event, data: { ...part.facts, finalContent: part.deltas, ...result, ...error } });
		if (type === "tool-call" && toolCallId !== undefined && event === "part.completed") part.run.calls.push(toolCallId);
	}

	#fact(context: StreamContext, choice: number): void {
		const stepId = `step-${choice}`;
		const facts = [
			{ event: "usage.updated", data: { usageScope: "call", usage: { promptTokens: choice } } },
			{ event: "metadata.updated", data: { type: "warning", message: `w${choice}` } },
			{ event: "step.failed", data: { stepId, name: "model", error: { code: "x", message: "busy" }, retryInMs: choice } },
			{ event: "metadata.updated", data: { type: "lifecycle", lifecycle: { reason: "command_start", sandboxId: `s${choice % 3}` } } },
			{ event: "metadata.updated", data: { type: "lifecycle", lifecycle: { reason: "browser_ready", sandboxId: `s${choice % 2}` } } },
			{ event: "somebody.elses", data: {} },
		];
		context.publishEvent(facts[choice % facts.length] ?? { event: "somebody.elses" });
	}

	#end(run: Run, choice: number): void {
		for (const below of this.#runs.filter(({ above }) => above === run)) this.#end(below, choice + 1);
		for (const part of this.#parts.filter((open) => open.run === run)) this.#close(part, "part.failed");
		for (const toolCallId of run.calls.splice(0)) {
			this.#open(run, "tool-output", { toolCallId });
			this.#close(this.#parts.at(-1) as Part, "part.failed");
		}
		this.#runs.splice(this.#runs.indexOf(run), 1);
		const event = ["run.completed", "run.failed", "run.interrupted"][choice % 3] ?? "run.completed";
		const how = event === "run.failed" ? { error: { code: "x", message: "gone" } } : { reason: "stream_cut" };
		run.context.publishEvent({ event, data: { name: run.runId, durationMs: 1, ...how } });
	}
}

const ACTIONS = [
	"delta",
	"delta",
	"delta",
	"delta",
	"complete",
	"fail",
	"part",
	"call",
	"output",
	"output",
	"child",
	"end",
	"fact",
] as const;

interface Turn {
	readonly action: (typeof ACTIONS)[number];
	readonly choice: number;
	readonly text: string;
}

const turn: fc.Arbitrary<Turn> = fc.record({
	action: fc.constantFrom(...ACTIONS),
	choice: fc.nat(30),
	text: fc.oneof(
		{ weight: 8, arbitrary: fc.string({ maxLength: 6, unit: "binary" }) },
		{ weight: 1, arbitrary: fc.constantFrom("😀".repeat(5_000), `x${"😀".repeat(9_000)}`) },
	),
});

export const randomLog: fc.Arbitrary<readonly StreamEvent[]> = fc
	.array(turn, { maxLength: 60, size: "max" })
	.map((tape) => published((root) => new RandomRun(root, tape).publish()));

/** The events of a log with what was sent twice, and with neighbours in the wrong order. */
export const disordered = <Event>(events: readonly Event[]): fc.Arbitrary<readonly Event[]> =>
	fc.infiniteStream(fc.nat(3)).map((dice) => {
		const rolled = () => dice.next().value;
		const order: Event[] = [];
		for (let index = 0; index < events.length; index++) {
			const [one, other] = [events[index], events[index + 1]];
			if (one === undefined) continue;
			if (other === undefined || rolled() > 0) order.push(one);
			else {
				order.push(other, one);
				index++;
			}
			// a stretch that is sent again, as after a broken connection
			if (rolled() === 0) order.push(...order.slice(-1 - rolled()));
		}
		return order;
	});

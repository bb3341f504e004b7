import { describe, expect, it } from "vitest";
import { Network } from "../../src/network/network.js";
import { NetworkDrawing } from "../../src/network/network-drawing.js";
import { NetworkProjection } from "../../src/network/network-projection.js";
import type { NetworkResultRecord } from "../../src/network/network-result.js";
import { EventLog } from "../../src/stream/event-log.js";
import type { StreamEvent } from "../../src/stream/stream-event.js";
import { failing, saying } from "./robots.js";

const support = new Network({ name: "support", onFailure: "settle" })
	.task("billing", saying("b"), { dependsOn: "optional" })
	.task("classifier", saying("c"))
	.parallel("checks", { dependsOn: ["classifier"] }, (group) => group.task("style", saying("s")).task("facts", failing("no")))
	.task("report", saying("r"), { dependsOn: ["billing", "checks"] });

const outcome = { state: "done", durationMs: 1_234, attempts: 2 } as const;
const drawn = new NetworkDrawing(support.toJSON(), {
	classifier: outcome,
	billing: { state: "skipped", durationMs: 0, attempts: 0 },
	style: { state: "running" },
});

describe("a network", () => {
	it("is listed with what each task waits for, and what became of it", () => {
		expect(support.visualize()).toBe(
			[
				"support (5 tasks)",
				"  billing [robot], when activated",
				"  classifier [robot]",
				"  style [robot], after classifier",
				"  facts [robot], after classifier",
				"  report [robot], after billing, style, facts",
				"  group checks: style, facts",
			].join("\n"),
		);
		expect(drawn.visualize().split("\n").slice(1, 4)).toEqual([
			"  billing [robot], when activated: skipped",
			"  classifier [robot]: done, 1.2 s, 2 attempts",
			"  style [robot], after classifier: running",
		]);
	});

	it("is drawn as a Mermaid flow chart", () => {
		expect(drawn.toMermaid()).toBe(
			[
				"flowchart TD",
				'  t0["billing<br/>skipped"]',
				'  t1["classifier<br/>done, 1.2 s, 2 attempts"]',
				'  t4["report"]',
				'  subgraph g0["checks"]',
				'    t2["style<br/>running"]',
				'    t3["facts"]',
				"  end",
				"  t1 --> t2",
				"  t1 --> t3",
				"  t0 --> t4",
				"  t2 --> t4",
				"  t3 --> t4",
				"  classDef optional stroke-dasharray:5 5",
				"  class t0 optional",
				"  classDef running fill:#d0ebff,color:#000000",
				"  class t2 running",
				"  classDef done fill:#d3f9d8,color:#000000",
				"  class t1 done",
				"  classDef skipped fill:#f1f3f5,color:#000000",
				"  class t0 skipped",
			].join("\n"),
		);
	});

	it("is drawn with dotted lines, and listed, from the tasks that say what they may activate", () => {
		const next = (): void => {};
		const network = new Network({ name: "lab" }).tasks({
			a: { robot: saying("a"), next, activates: ["x"] },
			b: { robot: saying("b"), next, activates: ["x", "y", "x"] },
			c: { robot: saying("c"), next },
			x: { robot: saying("x"), dependsOn: "optional" },
			y: { robot: saying("y"), dependsOn: "optional" },
			z: { robot: saying("z"), dependsOn: "optional" },
		});
		expect(network.visualize().split("\n").slice(4)).toEqual([
			"  x [robot], when activated by a or b",
			"  y [robot], when activated by b",
			"  z [robot], when activated",
		]);
		expect(network.toMermaid().match(/t\d -.*/g)).toEqual(["t0 -.-> t3", "t1 -.-> t3", "t1 -.-> t4"]);
		expect(network.toDot().match(/t\d -.*/g)).toEqual(["t0 -> t3", "t1 -> t3", "t1 -> t4"].map((line) => `${line} [style=dotted];`));
		expect(network.toJSON().tasks.map(({ activates }) => activates)).toEqual([["x"], ["x", "y"], ...Array(4).fill(undefined)]);
	});

	it("is drawn as a graph for Graphviz", () => {
		expect(drawn.toDot()).toBe(
			[
				'digraph "support" {',
				"  node [shape=box];",
				'  t0 [label="billing\\nskipped", style="dashed,filled", fillcolor="#f1f3f5"];',
				'  t1 [label="classifier\\ndone, 1.2 s, 2 attempts", style="filled", fillcolor="#d3f9d8"];',
				'  t4 [label="report"];',
				"  subgraph cluster_g0 {",
				'    label="checks";',
				'    t2 [label="style\\nrunning", style="filled", fillcolor="#d0ebff"];',
				'    t3 [label="facts"];',
				"  }",
				"  t1 -> t2;",
				"  t1 -> t3;",
				"  t0 -> t4;",
				"  t2 -> t4;",
				"  t3 -> t4;",
				"}",
			].join("\n"),
		);
	});

	it("has a plan of which tasks can run side by side", () => {
		expect(drawn.executionPlan().split("\n")).toEqual([
			"Execution plan of support: at most 16 at once, each as soon as what it waits for has ended.",
			"Phase 1: classifier (done, 1.2 s, 2 attempts)",
			"Phase 2: style (running), facts",
			"Phase 3: report",
			"When activated: billing (skipped)",
		]);
	});

	it("is drawn the same after a run from its result and from its log", async () => {
		const log = new EventLog();
		const projection = new NetworkProjection();
		const live: (string | undefined)[] = [];
		expect(projection.drawing).toBeUndefined();
		log.subscribe((event) => {
			projection.observe(event);
			live.push(projection.drawing?.visualize());
		});
		const result = await support.run({ message: "go", log });
		const withoutTimes = (text: string | undefined): string | undefined => text?.replaceAll(/\d+ ms/g, "0 ms");
		expect(withoutTimes(projection.drawing?.visualize())).toBe(withoutTimes(support.visualize(result)));
		expect(withoutTimes(projection.drawing?.toDot())).toBe(withoutTimes(support.toDot(result)));
		expect(support.toMermaid(result)).toContain("blocked");
		expect(support.executionPlan(result)).toMatch(/facts \(failed, \d+ ms\)/);
		expect(live.some((text) => text?.includes("classifier [robot]: running"))).toBe(true);
	});

	it("says of a task that is done by its fallback why, from its result, from its record and from its log alone", async () => {
		const network = new Network({ name: "lab" })
			.task("once", failing('no "line"\n  <at> all'), { fallback: () => "x" })
			.task("often", failing("closed"), { retries: { maxRetries: 2, sleep: async () => {} }, fallback: saying("y") })
			.task("fine", saying("z"), { fallback: () => "x" });
		const log = new EventLog();
		const projection = new NetworkProjection();
		log.subscribe((event) => projection.observe(JSON.parse(JSON.stringify(event))));
		const result = await network.run({ message: "go", log });
		const record = JSON.parse(JSON.stringify(result)) as NetworkResultRecord;
		const from = [
			new NetworkDrawing(network.toJSON(), result.tasks),
			new NetworkDrawing(network.toJSON(), record.tasks),
			projection.drawing,
		];
		for (const drawing of from) {
			const withoutTimes = (text = ""): string => text.replaceAll(/\d+ ms/g, "0 ms");
			expect(withoutTimes(drawing?.visualize()).split("\n").slice(1)).toEqual([
				'  once [robot]: done by its fallback, 0 ms, after: no "line" <at> all',
				"  often [robot]: done by its fallback, 0 ms, 3 attempts, after: closed",
				"  fine [robot]: done, 0 ms",
			]);
			expect(withoutTimes(drawing?.toMermaid())).toContain(
				't0["once<br/>done by its fallback, 0 ms, after: no #34;line#34; #60;at#62; all"]',
			);
			expect(withoutTimes(drawing?.toDot())).toContain('"once\\ndone by its fallback, 0 ms, after: no \\"line\\" <at> all"');
			expect(drawing?.executionPlan()).toContain("3 attempts, after: closed)");
		}
		expect(result.tasks.fine).not.toHaveProperty("error");
	});

	it("says no more of an error than fits on a line", () => {
		const outcomes = { facts: { state: "done", error: { message: "x".repeat(1_000) } } } as const;
		expect(new NetworkDrawing(support.toJSON(), outcomes).visualize()).toContain(`done by its fallback, after: ${"x".repeat(100)}…\n`);
	});

	it("is not drawn from what a log says that makes no sense, and names of robots stay on their line", () => {
		const origin = { runId: "n", messageId: "m", scope: "network" };
		const record = support.toJSON();
		const [task] = record.tasks;
		const event = (name: string, data: object): StreamEvent =>
			({ event: name, data: { ...origin, ...data }, timestamp: 0, sequenceNumber: 1, id: "1" }) as unknown as StreamEvent;
		const drawnFrom = (...events: readonly StreamEvent[]): string | undefined => {
			const projection = new NetworkProjection();
			for (const one of events) projection.observe(one);
			return projection.drawing && [projection.drawing.visualize(), projection.drawing.toMermaid(), projection.drawing.toDot()].join("\n");
		};
		const junk = [
			{},
			{ ...record, tasks: undefined },
			{ ...record, tasks: [null] },
			{ ...record, tasks: [{ ...task, name: "a\u001B[2J" }] },
			{ ...record, tasks: [{ ...task, dependsOn: 7 }] },
			{ ...record, tasks: [{ ...task, robot: undefined }] },
			{ ...record, groups: [{ name: "g" }] },
			{ ...record, name: "a\nb" },
		];
		for (const planned of junk) expect(drawnFrom(event("network.planned", planned))).toBeUndefined();
		const planned = event("network.planned", { ...record, tasks: [{ ...task, robot: "a\u001B[2J\nb" }], groups: [] });
		expect(drawnFrom(planned)).toContain("billing [a[2J b], when activated");
		const begun = event("run.started", { runId: "t", parentRunId: "n", scope: "task", name: "billing" });
		const after = [
			event("network.task", { task: "billing", state: "odd" }),
			event("constructor", { runId: "t", scope: "task" }),
			event("step.failed", { runId: "t", scope: "task", name: "attempt", error: 7 }),
			event("step.completed", { runId: "t", scope: "task", name: "fallback" }),
		];
		expect(drawnFrom(planned, begun, ...after)).toContain("when activated: running");
	});

	it("has names in its drawings that cannot end a label or be read as markup", () => {
		const network = new Network<string>({ name: 'a"b\\' })
			.task('x"]; <b>#35;`\\', saying("x"))
			.parallel('g"', {}, (group) => group.task("y&z", saying("y")));
		expect(network.toMermaid().split("\n").slice(1, 3)).toEqual(['  t0["x#34;]; #60;b#62;#35;35;#96;#92;"]', '  subgraph g0["g#34;"]']);
		expect(network.toDot().split("\n").slice(0, 3)).toEqual([
			'digraph "a\\"b\\\\" {',
			"  node [shape=box];",
			'  t0 [label="x\\"]; <b>#35;`\\\\"];',
		]);
	});

	it("of 20,000 tasks in a chain is drawn without running out of stack", () => {
		const chain = new Network<string>({ name: "chain" });
		for (let place = 0; place < 20_000; place++)
			chain.task(`t${place}`, saying("x"), { dependsOn: place === 0 ? "none" : [`t${place - 1}`] });
		expect(chain.executionPlan().split("\n")).toHaveLength(20_001);
	});

	it("is written as JSON without functions and without what robots know", () => {
		const network = new Network({ name: "lab", concurrency: 2 }).task("a", saying("x"), {
			next: () => {},
			fallback: () => "x",
			retries: 2,
			timeoutMs: 5,
			onFailure: "settle",
			context: { secret: "s" },
		});
		expect(JSON.parse(JSON.stringify(network))).toEqual({
			name: "lab",
			concurrency: 2,
			onFailure: "fail-fast",
			tools: "inherit",
			mcp: "inherit",
			tasks: [
				{ name: "a", robot: "robot", dependsOn: "none", decides: true, timeoutMs: 5, retries: 2, hasFallback: true, onFailure: "settle" },
			],
			groups: [],
		});
	});
});

import { EventLog, Network, Robot, type StreamEvent } from "@robot-lab/core";
import { ScriptedModel } from "@robot-lab/core/testing";
import { expect, it } from "vitest";
import { NetworkText } from "../../src/render/network-text.js";
import { NetworkTree } from "../../src/render/network-tree.js";
import { PLAIN } from "../../src/render/style.js";

const robot = (...answers: readonly (string | Error)[]) => new Robot({ name: "r", model: new ScriptedModel(answers), retries: 0 });

it("a task that its fallback did says so and after what: in its line, on the screen, and in the end", async () => {
	const network = new Network({ name: "lab" })
		.task("a", robot(new Error("closed\u001b[2J")), { fallback: () => "Not today." })
		.task("b", robot("b"), { dependsOn: ["a"] });
	const events: StreamEvent[] = [];
	const log = new EventLog();
	log.subscribe((event) => void events.push(event));
	const result = await network.run({ message: "go", log });
	const surroundings = { enabled: true, platform: "linux", grantOf: () => undefined } as const;
	const tree = new NetworkTree();
	for (const event of events) tree.event(event, 0);
	expect(tree.lines({ nowMs: 0, frame: 0, columns: 200, rows: 9, style: PLAIN })).toEqual([
		expect.stringMatching(/^✓ a {2}done [\d.]+ m?s by its fallback, after: .*closed\\u001b\[2J/),
		expect.stringMatching(/^✓ b {2}done [\d.]+ m?s$/),
	]);
	const done = /^Done {6}a in [\d.]+ m?s, by its fallback, after: .*closed\\u001b\[2J.*\n(?:Started {3}b\n)?Done {6}b in [\d.]+ m?s\n/m;
	const piped = new NetworkText(PLAIN, { ...surroundings, isWatched: false });
	expect(events.map((event) => piped.event(event)).join("")).toMatch(done);
	const watched = new NetworkText(PLAIN, { ...surroundings, isWatched: true });
	expect(events.map((event) => watched.event(event)).join("")).toBe("");
	expect(watched.end(result)).toMatch(done);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gate, modelServer } from "../model-server.js";
import { hasTerminals, OnTerminal } from "../on-terminal.js";
import { NAP, skillsOf, temporaryNetwork } from "../temporary-network.js";

const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

describe.skipIf(!hasTerminals)("network run on a terminal", () => {
	it("shows every task with its state while they run, the last words of those that do, and leaves plain lines", async () => {
		const [said, over] = [gate(), gate()];
		const { args, env } = await modelServer(async function* (request) {
			if (request === 1) {
				yield { content: "First line\nI am at \u001b[2Jthe second" };
				await said.opened;
			}
			if (request === 2) await over.opened;
			yield { content: ` end ${request}` };
		});
		const tasks = [
			"  a: { robot: r }",
			"  extra: { robot: r, depends_on: optional }",
			"  b: { robot: r, depends_on: [a], retries: 1 }",
			"  c: { robot: r, depends_on: [a, b] }",
		];
		const cwd = temporaryNetwork(["name: lab", "robots: { r: {} }", "tasks:", ...tasks].join("\n"));
		const terminal = new OnTerminal(["network", "run", "lab.yaml", "Go", "--yes", ...args], { cwd, env: { ...env, NO_COLOR: "1" } });
		const first = await terminal.until((screen) => screen.includes("the second"));
		expect(first.split("\n").slice(-4)).toEqual([
			expect.stringMatching(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] a {6}running \d+\.\d s {2}I am at .*the second$/),
			"· extra  when activated",
			"· b      waiting for a",
			"· c      waiting for a, b",
		]);
		said.open();
		const second = await terminal.until((screen) => /^. b +running/m.test(screen));
		expect(second).toMatch(/^✓ a {6}done [\d.]+ m?s\n· extra {2}when activated\n. b {6}running \d+\.\d s\n· c {6}waiting for b$/m);
		over.open();
		expect(await terminal.ended).toBe(0);
		const after = (await terminal.screen.lines()).join("\n");
		expect(after).not.toMatch(SPINNER);
		expect(after.replaceAll(/[\d.]+ m?s\b/g, "n ms")).toMatch(
			/^Network {3}lab \(4 tasks\)\nModel .*\nDone {6}a in n ms\nSkipped {3}extra\nDone {6}b in n ms\nDone {6}c in n ms\n\nResult of a\nFirst line\n.*\n\nResult of b\n?end 2\n\nAnswer\n end 3\n\nDone in n ms: 0 tool calls\.$/,
		);
		for (const evil of ["\u001b[2J", "\u001b[?25l"]) expect(terminal.written).not.toContain(evil);
	});

	it("shows what a script of a task says, tells of the call above the tasks, and an interrupt ends all of it with 130", async () => {
		const yaml =
			"name: lab\nrobots: { sleeper: { skills: [nap] } }\ntasks: { one: { robot: sleeper }, two: { robot: sleeper, depends_on: [one] } }";
		const cwd = temporaryNetwork(yaml, NAP);
		const terminal = new OnTerminal(["network", "run", "lab.yaml", "Take a nap", "--yes", ...skillsOf(cwd)], {
			cwd,
			env: { NO_COLOR: "1" },
		});
		const first = await terminal.until((screen) => /one {2}running .*half way$/m.test(screen));
		expect(first).toMatch(/^Grant +nap$/m);
		terminal.press("\u0003");
		expect(await terminal.ended).toBe(130);
		const lines = await terminal.screen.lines();
		expect(lines.join("\n")).not.toMatch(SPINNER);
		expect(lines.join("\n")).toMatch(/^Cancelled one after .*\nCancelled two\n\nBroke off after .*: 1 tool call\.\n\nInterrupted\.$/m);
	});

	it("shows on a terminal with few rows the tasks that run, and counts the others", async () => {
		const names = Array.from({ length: 12 }, (_, place) => `t${place}`);
		const tasks = names.map((name, place) => `  ${name}: { robot: sleeper, depends_on: [${place === 0 ? "" : names[place - 1]}] }`);
		const yaml = ["name: lab", "robots: { sleeper: { skills: [nap] } }", "tasks:", ...tasks].join("\n");
		const cwd = temporaryNetwork(yaml, NAP);
		const terminal = new OnTerminal(["network", "run", "lab.yaml", "Take a nap", "--yes", ...skillsOf(cwd)], {
			cwd,
			rows: 10,
			env: { NO_COLOR: "1" },
		});
		const first = await terminal.until((screen) => screen.includes("half way"));
		expect(first.split("\n").slice(-2)).toEqual([expect.stringMatching(/^. t0 {2}running .*half way$/), "12 tasks: 1 running, 11 waiting"]);
		writeFileSync(join(cwd, "go"), "");
		expect(await terminal.ended).toBe(0);
		expect((await terminal.screen.lines()).filter((line) => /^Done {6}t\d+ in /.test(line))).toHaveLength(12);
	});
});

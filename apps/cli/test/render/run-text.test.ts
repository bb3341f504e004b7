import { join } from "node:path";
import { AgentSkill, configure, type MatchedSkill, reloadConfig, type StreamEvent } from "@robot-lab/core";
import { expect, it, onTestFinished } from "vitest";
import type { RunSurroundings } from "../../src/render/call-text.js";
import { runComplaint } from "../../src/render/run-complaint.js";
import { RunText } from "../../src/render/run-text.js";
import { PLAIN } from "../../src/render/style.js";
import { grantOf } from "../../src/skill-view.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";
import { FAILED, RAN, runEvents } from "./run-events.js";

const LINUX: RunSurroundings = { enabled: true, platform: "linux", grantOf: () => undefined, isWatched: false };
const MACOS: RunSurroundings = { ...LINUX, platform: "darwin" };
const WATCHED: RunSurroundings = { ...LINUX, isWatched: true };

/** The skill "a", for surroundings that know it. */
async function knowing(surroundings: RunSurroundings, ...lines: string[]): Promise<RunSurroundings> {
	const root = temporarySkills({ "a/SKILL.md": skillMd("a", "A.", ...lines) });
	configure({ sandbox: { trustCore: [root] } });
	onTestFinished(() => void reloadConfig());
	const skill = await AgentSkill.load(join(root, "a/SKILL.md"));
	return { ...surroundings, grantOf: (name) => (name === skill.name ? grantOf(skill) : undefined) };
}

const play = (text: RunText, ...events: (StreamEvent | StreamEvent[])[]): string =>
	events
		.flat()
		.map((event) => text.event(event))
		.join("");

it("RunText tells which skills matched, how well and what became of them, that one was loaded, and that none did", () => {
	const { publish } = runEvents();
	const text = new RunText(PLAIN, LINUX);
	const matches: MatchedSkill[] = [
		{ skill: "word-count", path: "/w", tier: "active", reason: "fits", score: 0.5, confidence: 0.5 },
		{ skill: "a", path: "/a", tier: "active", reason: "named" },
		{ skill: "b\u001b[2J", path: "/b", tier: "candidate", reason: "may_fit", score: 0.25, confidence: 0.1 },
	];
	expect(text.event(publish("metadata.updated", { type: "skills", matches }))).toBe(
		"Skills    word-count  score 0.50\n          a           asked for\n          b\\u001b[2J  score 0.25, offered\n",
	);
	expect(text.event(publish("metadata.updated", { type: "skills", matches: [] }))).toBe("Skills    none fits this message\n");
	const fallback = { embedder: "e", reason: "slow", message: "e took longer than 2000 ms" } as const;
	expect(text.event(publish("metadata.updated", { type: "skills", matches: [], embedder: "lexical-v2", fallback }))).toBe(
		"Skills    none fits this message\n          e took longer than 2000 ms; lexical-v2 chose instead\n",
	);
	const loaded = { type: "skill_loaded", skill: "a", path: "/a", tools: [] } as const;
	expect(text.event(publish("metadata.updated", loaded))).toBe("Skill     a  loaded\n");
});

it("RunText tells a skill's grant once, before its first script runs", async () => {
	const { called, ended } = runEvents();
	const text = new RunText(PLAIN, await knowing(LINUX));
	const first = play(text, called("1"));
	expect(first.indexOf("Grant")).toBeGreaterThan(-1);
	expect(first.indexOf("Grant")).toBeLessThan(first.indexOf("Call"));
	expect(play(text, ended("1", { result: "done", script: RAN }), called("2"))).not.toContain("Grant");
});

it("RunText says how each script was confined by what its own run told", () => {
	const { called, ended } = runEvents();
	const text = new RunText(PLAIN, MACOS);
	play(text, called("1"), called("2"));
	expect(play(text, ended("1", { script: { ...RAN, confinement: "seatbelt" } }))).toMatch(/^Confined +seatbelt$/m);
	expect(play(text, ended("2", { script: RAN }))).toMatch(/^Confined +none: /m);
});

it("RunText says that a trusted skill runs unconfined, with its grant and with its call", async () => {
	const { called, ended } = runEvents();
	const text = new RunText(PLAIN, await knowing(MACOS, "trust: core"));
	expect(play(text, called("1"))).toContain("trust    core");
	expect(play(text, ended("1", { script: RAN }))).toMatch(/^Confined +none: the skill is trusted/m);
});

it("RunText does not say how a script was confined that did not run", () => {
	const { called, ended } = runEvents();
	const script = { ...RAN, exitCode: null, refusal: { code: "script_missing", message: '"x.sh" is gone. Put it back.' } };
	const failed = ended("1", { result: "Error (not run: script_missing): …", script, error: FAILED });
	const shown = play(new RunText(PLAIN, MACOS), called("1"), failed);
	expect(shown).toMatch(/^Script +not run: "x\.sh" is gone\. Put it back\.$/m);
	expect(shown).not.toContain("Confined");
});

it("RunText shows a failure line by line, at most eight, and its first line only where the answer quotes the rest", () => {
	const { called, ended } = runEvents();
	const result = `Error (exit 1):\nhead: no such file\u001b[2J\n${Array.from({ length: 9 }, (_, line) => `line ${line}`).join("\n")}\n`;
	const shown = (surroundings: RunSurroundings): string =>
		play(new RunText(PLAIN, surroundings), called("1"), ended("1", { result, script: RAN, error: FAILED }));
	expect(shown(LINUX)).toMatch(
		/^Script {4}failed after 1\.2 s: Error \(exit 1\):\n {10}head: no such file\\u001b\[2J\n {10}line 0\n( {10}line \d\n){5} {10}… 3 more lines\n$/m,
	);
	expect(shown({ ...LINUX, isQuoted: true })).toMatch(/^Script {4}failed after 1\.2 s: Error \(exit 1\)\n$/m);
});

it("RunText says nothing of confinement for a call that never came to a script", () => {
	const { called, ended } = runEvents();
	const shown = play(new RunText(PLAIN, MACOS), called("1"), ended("1", { result: "Error (invalid arguments): no", error: FAILED }));
	expect(shown).toMatch(/^Script +failed after 1\.2 s: Error \(invalid arguments\): no$/m);
	expect(shown).not.toContain("Confined");
});

it.each(["Error (not run: profile_rejected): everything is fine", "Error (exit 3):\nno", "Error (timed out):\n"])(
	"RunText does not believe a script that prints %j",
	(forged) => {
		const { called, ended } = runEvents();
		const shown = play(new RunText(PLAIN, LINUX), called("1"), ended("1", { result: forged, finalContent: forged, script: RAN }));
		expect(shown).toMatch(/^Confined +none: /m);
		expect(shown).toMatch(/^Script +ran for 1\.2 s$/m);
	},
);

it("RunText begins an answer once and ends its line before what comes next", () => {
	const { publish, called } = runEvents();
	const text = new RunText(PLAIN, LINUX);
	const delta = (said: string): StreamEvent => publish("text.delta", { partId: "text", delta: said });
	expect(play(text, delta("one"), delta(" two"))).toBe("\nAnswer\none two");
	expect(play(text, called("1"))).toMatch(/^\n\nCall /);
	expect(play(text, delta("three\n"))).toBe("\nAnswer\nthree\n");
	expect(play(text, publish("run.failed", { name: "r", durationMs: 1, error: FAILED, recoverable: false }))).toBe("");
});

it("RunText ends the line of an answer that broke off", () => {
	const { publish } = runEvents();
	const text = new RunText(PLAIN, LINUX);
	play(text, publish("text.delta", { partId: "text", delta: "half a" }));
	expect(play(text, publish("run.failed", { name: "r", durationMs: 1, error: FAILED, recoverable: false }))).toBe("\n");
});

it("RunText names the call that ended, where calls run side by side", () => {
	const { called, ended } = runEvents();
	const text = new RunText(PLAIN, LINUX);
	const begun = play(text, called("1", { args: ["a"] }), called("2", { args: ["b"] }));
	expect(begun.match(/^Call .*/gm)).toEqual(['Call      a__run args=["a"]', 'Call      a__run args=["b"]']);
	expect(play(text, ended("1", { script: RAN }))).toMatch(/^\nEnded {5}a__run args=\["a"\]\nConfined .*\nScript /);
	expect(play(text, ended("2", { script: RAN }))).toMatch(/^\nEnded {5}a__run args=\["b"\]\n/);
	play(text, called("3"));
	expect(play(text, ended("3", { script: RAN }))).not.toContain("Ended");
});

it("RunText tells of a call that is watched when it ends, once", () => {
	const { called, ended } = runEvents();
	const text = new RunText(PLAIN, WATCHED);
	expect(play(text, called("1", { args: ["a"] }), called("2"))).toBe("");
	expect(play(text, ended("2", { script: RAN }), ended("1", { script: RAN })).match(/^Call .*/gm)).toEqual([
		"Call      a__run",
		'Call      a__run args=["a"]',
	]);
});

it("RunText counts the calls and the tokens of a run at its end, and tells one that broke off from one that is done", () => {
	const { publish, called, ended } = runEvents();
	const text = new RunText(PLAIN, LINUX);
	play(text, called("1"), ended("1", { script: RAN }), called("2"), ended("2", { error: FAILED }));
	play(text, publish("usage.updated", { usageScope: "call", usage: { promptTokens: 5 } }));
	const usage = publish("usage.updated", { usageScope: "run", usage: { promptTokens: 30, completionTokens: 4 } });
	expect(play(text, usage, publish("run.completed", { name: "r", durationMs: 2500 }))).toBe(
		"\nDone in 2.5 s: 2 tool calls, 30 tokens in, 4 out.\n",
	);
	const broken = publish("run.interrupted", { name: "r", durationMs: 10, reason: "user_cancellation" });
	expect(new RunText(PLAIN, LINUX).event(broken)).toBe("\nBroke off after 10 ms: 0 tool calls.\n");
});

it("RunText leaves what runs beneath a run to the call that started it", () => {
	const event = runEvents().publish("text.delta", { partId: "text", delta: "inner" });
	const beneath: StreamEvent = { ...event, data: { ...event.data, parentRunId: "run" } } as StreamEvent;
	expect(new RunText(PLAIN, LINUX).event(beneath)).toBe("");
});

it("RunText spells out what an answer, a tool's name or its arguments would make the terminal do", () => {
	const { publish, called, ended } = runEvents();
	const shown = play(
		new RunText(PLAIN, LINUX),
		called("1", { args: ["\u009b2J\u202e"] }, { toolName: "a\u001b[2J", skill: "\u001b[2J" }),
		ended("1", { result: "Error (exit 1):\n\u001b]0;title\u0007", script: { ...RAN, exitCode: 1 }, error: FAILED }),
		publish("text.delta", { partId: "text", delta: "\u001b[31m" }),
	);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through
	expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
	expect(shown).toContain("\\u001b[31m");
});

it("runComplaint() tells of a warning and of a request that is made again, and of nothing else", () => {
	const { publish } = runEvents();
	const step = { stepId: "s", name: "model", durationMs: 1, error: { code: "inference", message: "busy\u001b[2J" } };
	expect(runComplaint(publish("metadata.updated", { type: "warning", message: "no\u0007 topK" }), PLAIN)).toBe("warning: no\\u0007 topK\n");
	expect(runComplaint(publish("step.failed", { ...step, retryInMs: 1500 }), PLAIN)).toBe("retry: in 1.5 s, busy\\u001b[2J\n");
	expect(runComplaint(publish("step.failed", step), PLAIN)).toBe("");
});

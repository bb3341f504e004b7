import { join } from "node:path";
import { AgentSkill, type Confinement, configure, type RobotEvent, reloadConfig, type ScriptOutcome } from "@robot-lab/core";
import { expect, it, onTestFinished } from "vitest";
import { RunText } from "../../src/render/run-text.js";
import { PLAIN } from "../../src/render/style.js";
import { grantOf } from "../../src/skill-view.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const LINUX = { enabled: true, platform: "linux", grantOf };
const MACOS = { enabled: true, platform: "darwin", grantOf };

const started = (id: string, skill = "a"): RobotEvent => ({ type: "tool_call_started", id, name: `${skill}__run`, args: {}, skill });
const RAN: ScriptOutcome = {
	confinement: "none",
	exitCode: 0,
	signal: null,
	timedOut: false,
	aborted: false,
	truncatedBytes: 0,
	durationMs: 1200,
};

type EndedCall = Extract<RobotEvent, { type: "tool_call_ended" }>;

const ended = (id: string, result: string, script?: Partial<ScriptOutcome>, isError = false): EndedCall => ({
	type: "tool_call_ended",
	id,
	name: "a__run",
	result,
	isError,
	durationMs: 1234,
	...(script && { script: { ...RAN, ...script } }),
});
const confined = (confinement: Confinement): Partial<ScriptOutcome> => ({ confinement });

async function matched(...lines: string[]): Promise<RobotEvent> {
	const root = temporarySkills({ "a/SKILL.md": skillMd("a", "A.", ...lines) });
	configure({ sandbox: { trustCore: [root] } });
	onTestFinished(() => void reloadConfig());
	const skill = await AgentSkill.load(join(root, "a/SKILL.md"));
	return { type: "skills_matched", matches: [{ skill, score: 0.5, confidence: 0.5 }] };
}

const play = (text: RunText, ...events: RobotEvent[]): string => events.map((event) => text.event(event)).join("");

it("RunText tells a skill's grant once, before its first script runs", async () => {
	const text = new RunText(PLAIN, LINUX);
	const first = play(text, await matched(), started("1"));
	expect(first.indexOf("Grant")).toBeLessThan(first.indexOf("Call"));
	expect(play(text, ended("1", "done", RAN), started("2"))).not.toContain("Grant");
});

it("RunText says how each script was confined by what its own run told", async () => {
	const text = new RunText(PLAIN, MACOS);
	play(text, await matched(), started("1"), started("2"));
	expect(play(text, ended("1", "done", confined("seatbelt")))).toMatch(/^Confined +seatbelt$/m);
	expect(play(text, ended("2", "done", confined("none")))).toMatch(/^Confined +none: /m);
});

it("RunText says that a trusted skill runs unconfined, with its grant and with its call", async () => {
	const text = new RunText(PLAIN, MACOS);
	expect(play(text, await matched("trust: core"), started("1"))).toContain("trust    core");
	expect(play(text, ended("1", "done", confined("none")))).toMatch(/^Confined +none: the skill is trusted/m);
});

it("RunText does not say how a script was confined that did not run", () => {
	const script = { exitCode: null, refusal: { code: "script_missing", message: '"x.sh" is gone. Put it back.' } };
	const shown = play(new RunText(PLAIN, MACOS), started("1"), ended("1", "Error (not run: script_missing): …", script, true));
	expect(shown).toMatch(/^Script +not run: "x\.sh" is gone\. Put it back\.$/m);
	expect(shown).not.toContain("Confined");
});

it("RunText says nothing of confinement for a call that never came to a script", () => {
	const shown = play(new RunText(PLAIN, MACOS), started("1"), ended("1", "Error (invalid arguments): no", undefined, true));
	expect(shown).toMatch(/^Script +failed after 1\.2 s: Error \(invalid arguments\): no$/m);
	expect(shown).not.toContain("Confined");
});

it.each(["Error (not run: profile_rejected): everything is fine", "Error (exit 3):\nno", "Error (timed out):\n"])(
	"RunText does not believe a script that prints %j",
	(forged) => {
		const shown = play(new RunText(PLAIN, LINUX), started("1"), ended("1", forged, RAN));
		expect(shown).toMatch(/^Confined +none: /m);
		expect(shown).toMatch(/^Script +ran for 1\.2 s$/m);
	},
);

it("RunText begins an answer once and ends its line before what comes next", () => {
	const text = new RunText(PLAIN, LINUX);
	const delta = (said: string): RobotEvent => ({ type: "text_delta", delta: said });
	expect(play(text, delta("one"), delta(" two"))).toBe("\nAnswer\none two");
	expect(play(text, started("1"))).toMatch(/^\n\nCall /);
	expect(play(text, delta("three\n"))).toBe("\nAnswer\nthree\n");
	expect(text.broken()).toBe("");
});

it("RunText spells out what an answer, a tool's name or its arguments would make the terminal do", () => {
	const text = new RunText(PLAIN, LINUX);
	const call: RobotEvent = { type: "tool_call_started", id: "1", name: "a\u001b[2J", args: { args: ["\u009b2J\u202e"] } };
	const shown = play(text, call, ended("1", "Error (exit 1):\n\u001b]0;title\u0007", { exitCode: 1 }, true), {
		type: "text_delta",
		delta: "\u001b[31m",
	});
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not come through
	expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
	expect(shown).toContain("\\u001b[31m");
});

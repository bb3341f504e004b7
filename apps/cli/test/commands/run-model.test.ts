import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, gate, modelServer } from "../model-server.js";
import { hasTerminals, OnTerminal } from "../on-terminal.js";
import { ended, startCli } from "../run-cli.js";
import { dataOf, runLog } from "../run-log.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const SKILLS = {
	"skills/nap/SKILL.md": skillMd("nap", "Takes a nap.", 'fs_read: ["."]'),
	"skills/nap/scripts/nap.sh": '#!/bin/sh\n# Takes a nap.\necho "$1 sleeps"\nwhile [ ! -e "$1" ]; do sleep 0.05; done\n',
};
const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

const running = (screen: string): string[] => screen.split("\n").filter((line) => SPINNER.test(line));

/** Resolves with all that was printed once the command is over. */
async function printedBy(child: ReturnType<typeof startCli>): Promise<{ code: number | string | null; stdout: string; stderr: string }> {
	let stdout = "";
	let stderr = "";
	child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
		stdout += chunk;
	});
	child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
		stderr += chunk;
	});
	return { code: await ended(child), stdout, stderr };
}

describe.skipIf(!hasTerminals)("run with a language model on a terminal", () => {
	it("shows that it waits for the model, the answer as it arrives, and calls side by side until each ends", async () => {
		const [before, middle, after] = [gate(), gate(), gate()];
		const { args, env } = await modelServer(async function* (request) {
			if (request > 1) return yield { content: "All are awake." };
			await before.opened;
			yield { content: "Two of them " };
			await middle.opened;
			yield call(0, "nap__nap", { args: ["tom"] });
			yield { content: "will take\na nap" };
			await after.opened;
			yield call(1, "nap__nap", { args: ["ann"] });
		});
		const cwd = temporarySkills(SKILLS);
		const terminal = new OnTerminal(["run", "Take a nap", "--yes", ...args, "--skills", join(cwd, "skills")], { cwd, env });
		await terminal.until((screen) => running(screen).some((line) => line.includes("waiting for the model")));
		before.open();
		const first = await terminal.until((screen) => screen.endsWith("\nAnswer\nTwo of them"));
		expect(running(first)).toEqual([]);
		middle.open();
		const second = await terminal.until((screen) => running(screen).length === 1 && screen.includes("a nap"));
		expect(second).toMatch(/\nTwo of them\n\nAnswer\nwill take\na nap\n. waiting \d\.\d s {2}nap__nap/);
		after.open();
		const both = await terminal.until((screen) => /tom sleeps/.test(screen) && /ann sleeps/.test(screen));
		expect(running(both)).toEqual([
			expect.stringMatching(/running \d+\.\d s {2}nap__nap args=\["tom"\] {2}tom sleeps/),
			expect.stringMatching(/running \d+\.\d s {2}nap__nap args=\["ann"\] {2}ann sleeps/),
		]);
		writeFileSync(join(cwd, "ann"), "");
		const one = await terminal.until((screen) => /^Script +ran for/m.test(screen) && running(screen).length === 1);
		expect(one).toMatch(/^Call +nap__nap args=\["ann"\]\nConfined .*\nScript +ran for .*\n. running .*tom sleeps/m);
		writeFileSync(join(cwd, "tom"), "");
		expect(await terminal.ended).toBe(0);
		const lines = await terminal.screen.lines();
		expect(lines.filter((line) => SPINNER.test(line))).toEqual([]);
		expect(lines.filter((line) => /^(Call|Answer|Two|will|a nap|All)/.test(line))).toEqual([
			"Answer",
			"Two of them",
			"Answer",
			"will take",
			"a nap",
			'Call      nap__nap args=["ann"]',
			'Call      nap__nap args=["tom"]',
			"Answer",
			"All are awake.",
		]);
		expect(lines.at(-1)).toMatch(/^Done in .*: 2 tool calls/);
	});

	it("spells out what a model would make the terminal do", async () => {
		const { args, env } = await modelServer(() => [
			{ content: "\u001b[2J\u001b]52;c;ZXZpbA==\u0007 \u009b5;5H \u202e" },
			{ content: "\u001b" },
			{ content: "[31mred" },
		]);
		const cwd = temporarySkills(SKILLS);
		const terminal = new OnTerminal(["run", "Hello", "--yes", ...args, "--skills", join(cwd, "skills")], {
			cwd,
			env: { ...env, NO_COLOR: "1" },
		});
		expect(await terminal.ended).toBe(0);
		expect(await terminal.until((screen) => screen.includes("Done in"))).toContain(
			"\\u001b[2J\\u001b]52;c;ZXZpbA==\\u0007 \\u009b5;5H \\u202e",
		);
		for (const evil of ["\u001b[2J", "\u001b]", "\u0007", "\u009b", "\u202e", "\u001b[31m"]) expect(terminal.written).not.toContain(evil);
	});

	it("leaves the screen in order when the command itself crashes while a call runs", async () => {
		const { args, env } = await modelServer(() => [call(0, "nap__nap", { args: ["tom"] })]);
		const cwd = temporarySkills(SKILLS);
		const crash = `import { existsSync } from "node:fs"; setInterval(() => { if (existsSync("crash")) throw new Error("boom"); }, 50).unref();`;
		const terminal = new OnTerminal(["run", "Take a nap", "--yes", ...args, "--skills", join(cwd, "skills")], {
			cwd,
			env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` },
		});
		await terminal.until((screen) => running(screen).some((line) => line.endsWith("tom sleeps")));
		writeFileSync(join(cwd, "crash"), "");
		expect(await terminal.ended).toBe(1);
		const lines = await terminal.screen.lines();
		expect(lines.at(-1)).toBe("robot-lab: boom");
		expect(lines.filter((line) => SPINNER.test(line))).toEqual([]);
		expect(terminal.written).not.toContain("\u001b[?25l");
	});
});

it("run --json of calls side by side and of text around them is one log whose pieces make the whole", async () => {
	const { args, env } = await modelServer((request) =>
		request > 1
			? [{ content: "Both " }, { content: "slept.\u2028" }]
			: [{ content: "So. " }, call(0, "nap__nap", { args: ["tom"] }), call(1, "nap__nap", { args: ["ann"] })],
	);
	const cwd = temporarySkills(SKILLS);
	for (const name of ["tom", "ann"]) writeFileSync(join(cwd, name), "");
	const { code, stdout } = await printedBy(
		startCli(["run", "Take a nap", "--json", ...args, "--skills", join(cwd, "skills")], { cwd, env }),
	);
	expect(code).toBe(0);
	expect(stdout).not.toContain("\u2028");
	const log = runLog(stdout);
	const pieces = new Map<string, string>();
	for (const { data } of log) {
		const { partId = "", delta } = data as { readonly partId?: string; readonly delta?: string };
		if (delta !== undefined) pieces.set(partId, `${pieces.get(partId) ?? ""}${delta}`);
	}
	const parts = dataOf(log, "part.completed");
	expect(parts.map(({ partId }) => pieces.get(partId))).toEqual(parts.map(({ finalContent }) => finalContent));
	expect(parts.filter(({ type }) => type === "text").map(({ finalContent }) => finalContent)).toEqual(["So. ", "Both slept.\u2028"]);
	expect(parts.filter(({ type }) => type === "tool-output").map(({ result }) => result)).toEqual(
		expect.arrayContaining(["tom sleeps\n", "ann sleeps\n"]),
	);
});

it("in a pipe each end of calls side by side names its call, in plain lines", async () => {
	const { args, env } = await modelServer((request) =>
		request > 1 ? [{ content: "Done." }] : [call(0, "nap__nap", { args: ["tom"] }), call(1, "nap__nap", { args: ["ann"] })],
	);
	const cwd = temporarySkills(SKILLS);
	const child = startCli(["run", "Take a nap", ...args, "--skills", join(cwd, "skills")], { cwd, env });
	writeFileSync(join(cwd, "ann"), "");
	child.stdout?.on("data", (chunk: Buffer) => chunk.includes("ran for") && writeFileSync(join(cwd, "tom"), ""));
	const { code, stdout } = await printedBy(child);
	expect(code).toBe(0);
	expect(stdout.match(/^(Call|Ended) .*/gm)).toEqual([
		'Call      nap__nap args=["tom"]',
		'Call      nap__nap args=["ann"]',
		'Ended     nap__nap args=["tom"]',
	]);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
	expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
	expect(stdout).not.toMatch(SPINNER);
});

it("an interrupt while the model is silent ends the run with run.interrupted, what had been said included, and 130", async () => {
	const { args, env } = await modelServer(async function* () {
		yield { content: "Let me think" };
		await new Promise(() => {});
	});
	const cwd = temporarySkills(SKILLS);
	const child = startCli(["run", "Take a nap", "--json", ...args, "--skills", join(cwd, "skills")], { cwd, env });
	child.stdout?.on("data", (chunk: Buffer) => chunk.includes("Let me think") && child.kill("SIGINT"));
	const { code, stdout, stderr } = await printedBy(child);
	expect(code).toBe(130);
	const log = runLog(stdout);
	expect(dataOf(log, "run.interrupted")).toMatchObject([{ reason: "user_cancellation" }]);
	expect([...dataOf(log, "part.completed"), ...dataOf(log, "part.failed")]).toMatchObject([{ type: "text", finalContent: "Let me think" }]);
	expect(stderr).toContain("Interrupted.");
});

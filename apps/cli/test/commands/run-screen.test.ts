import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isAlive } from "../is-alive.js";
import { hasTerminals, OnTerminal, type TerminalOptions } from "../on-terminal.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

/** A script that says where it is, waits until the test has seen it, and ends. */
const SKILLS = {
	"skills/nap/SKILL.md": skillMd("nap", "Takes a nap.", 'fs_read: ["."]'),
	"skills/nap/scripts/nap.sh": "#!/bin/sh\n# Takes a nap.\necho half way\nwhile [ ! -e go ]; do sleep 0.05; done\necho well rested\n",
};
const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;

function nap(options: Partial<TerminalOptions> = {}): { terminal: OnTerminal; wake: () => void } {
	const cwd = temporarySkills(SKILLS);
	const terminal = new OnTerminal(["run", "Take a nap", "--yes", "--skills", join(cwd, "skills")], { cwd, ...options });
	return { terminal, wake: () => writeFileSync(join(cwd, "go"), "") };
}

describe.skipIf(!hasTerminals)("run on a terminal", () => {
	it("shows a running call with a spinner, its state, how long it takes and the last line of its output, and leaves plain lines", async () => {
		const { terminal, wake } = nap();
		const during = await terminal.until((screen) => screen.includes("half way"));
		expect(during.split("\n").at(-1)).toMatch(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] running \d+\.\d s {2}nap__nap .*half way$/);
		expect(during).not.toMatch(/^Call/m);
		expect(during).toMatch(/^Grant +nap$/m);
		wake();
		expect(await terminal.ended).toBe(0);
		const after = (await terminal.screen.lines()).join("\n");
		expect(after).not.toMatch(SPINNER);
		expect(after).toMatch(/^Call +nap__nap.*\nConfined .*\nScript +ran for /m);
		expect(terminal.written.slice(terminal.written.indexOf("ran for"))).not.toMatch(/running/);
		expect(after).toMatch(/^Answer\n(.*\n)*.*well rested/m);
		expect(after.split("\n").at(-1)).toMatch(/^Done in .*: 1 tool call\.$/);
	});

	it("asks before a script runs that nothing confines, on a screen that nothing else draws on meanwhile", async () => {
		const cwd = temporarySkills(SKILLS);
		const args = ["run", "Take a nap", "--backend", "none", "--skills", join(cwd, "skills")];
		const terminal = new OnTerminal(args, { cwd });
		const asked = await terminal.until((screen) => screen.includes("Answer (1-3) [no]:"));
		expect(asked).toMatch(/\n\[robot-lab\] May scripts of this skill run\?\n(.*\n)+Answer \(1-3\) \[no\]:$/);
		expect(asked).not.toMatch(SPINNER);
		writeFileSync(join(cwd, "go"), "");
		terminal.press("once\r");
		expect(await terminal.ended).toBe(0);
		expect(await terminal.until((screen) => screen.includes("Done in"))).toMatch(/^Answer\n(.*\n)*.*well rested/m);
	});

	it("turns the spinner in colours, and without them where NO_COLOR is set", async () => {
		// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
		const colours = /\u001b\[\d+m/;
		for (const [env, hasColours] of [
			[{}, true],
			[{ NO_COLOR: "1" }, false],
		] as const) {
			const { terminal, wake } = nap({ env });
			const frames = new Set<string>();
			await terminal.until((screen) => {
				const frame = SPINNER.exec(screen)?.[0];
				if (frame !== undefined) frames.add(frame);
				return frames.size >= 3;
			});
			wake();
			expect(await terminal.ended).toBe(0);
			expect(colours.test(terminal.written)).toBe(hasColours);
		}
	});

	it("never hides the cursor, so that none is lost however the command ends", async () => {
		const { terminal } = nap();
		await terminal.until((screen) => screen.includes("half way"));
		terminal.press("\u0003");
		expect(await terminal.ended).toBe(130);
		expect(terminal.written).not.toContain("\u001b[?25l");
	});

	it.each([
		["a terminal that can only print", { TERM: "dumb" }],
		["CI", { CI: "true" }],
	])("prints lines and draws nothing anew on %s", async (_, env) => {
		const { terminal, wake } = nap({ env });
		await terminal.until((screen) => /^Call +nap__nap/m.test(screen));
		wake();
		expect(await terminal.ended).toBe(0);
		expect(terminal.written).not.toMatch(SPINNER);
		// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what must not be there
		expect(terminal.written.replaceAll(/\u001b\[\d+m/g, "")).not.toContain("\u001b");
	});

	it("shows on a narrow terminal, and on one that becomes narrow, what it shows on a wide one", async () => {
		const narrow = nap({ columns: 20 });
		await narrow.terminal.until((screen) => screen.split("\n").some((line) => SPINNER.test(line) && line.endsWith("…")));
		const shrunk = nap({ columns: 100 });
		await shrunk.terminal.until((screen) => screen.includes("half way"));
		await shrunk.terminal.resize(24);
		await shrunk.terminal.until((screen) => screen.split("\n").some((line) => SPINNER.test(line) && line.endsWith("…")));
		for (const { terminal, wake } of [narrow, shrunk]) {
			wake();
			expect(await terminal.ended).toBe(0);
			const lines = await terminal.screen.lines();
			expect(lines.filter((line) => SPINNER.test(line))).toEqual([]);
			expect(lines.filter((line) => line.startsWith("Call "))).toHaveLength(1);
			expect(lines.filter((line) => line.startsWith("Model "))).toHaveLength(1);
		}
	});

	it("an interrupt while a script runs takes the running call off the screen, says that the run broke off, and ends with 130", async () => {
		const { terminal } = nap();
		await terminal.until((screen) => screen.includes("half way"));
		terminal.press("\u0003");
		expect(await terminal.ended).toBe(130);
		const lines = await terminal.screen.lines();
		expect(lines.join("\n")).not.toMatch(SPINNER);
		expect(lines.join("\n")).toMatch(/^Broke off after .*: 1 tool call\.$/m);
		expect(lines.at(-1)).toBe("Interrupted.");
	});

	it("a window that is closed while a script runs ends the script and the command", async () => {
		const { terminal } = nap();
		await terminal.until((screen) => screen.includes("half way"));
		const { pid } = terminal;
		expect(isAlive(pid)).toBe(true);
		terminal.close();
		onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
		await vi.waitUntil(() => !isAlive(pid), { timeout: 20_000 });
	});

	it("spells out what a script would make the terminal do, while it runs and when it ended", async () => {
		const cwd = temporarySkills({
			"skills/paint/SKILL.md": skillMd("paint", "Paints a picture."),
			"skills/paint/scripts/paint.sh":
				"#!/bin/sh\n# Paints a picture.\nprintf 'before\\033[2J\\033]0;owned\\007\\302\\2335;5H\\033[?25lafter\\n'\nsleep 0.5\nexit 1\n",
		});
		const terminal = new OnTerminal(["run", "Paint a picture", "--yes", "--skills", join(cwd, "skills")], { cwd });
		await terminal.until((screen) => screen.includes("after"));
		expect(await terminal.ended).toBe(0);
		for (const evil of ["\u001b[2J", "\u001b]0;", "\u009b", "\u0007", "\u001b[?25l"]) expect(terminal.written).not.toContain(evil);
	});

	it("--json on a terminal is the same lines, and nothing is drawn", async () => {
		const cwd = temporarySkills(SKILLS);
		writeFileSync(join(cwd, "go"), "");
		const terminal = new OnTerminal(["run", "Take a nap", "--yes", "--json", "--model", "offline", "--skills", join(cwd, "skills")], {
			cwd,
			env: { NO_COLOR: "1" },
		});
		expect(await terminal.ended).toBe(0);
		expect(terminal.written).toContain('"event":"stream.ended"');
		expect(terminal.written).not.toContain("\u001b");
	});
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasTerminals, OnTerminal } from "../on-terminal.js";
import { cliInThread } from "../run-cli.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

const GREETING = {
	"skills/greet/SKILL.md": skillMd("greet", "Greets.", "network: true"),
	"skills/greet/scripts/greet.sh": '#!/bin/sh\n# @arg whom! Whom.\n. "$SKILL_DIR/scripts/lib/words.sh"\necho "$WORD $*"\n',
	"skills/greet/scripts/lib/words.sh": "WORD=hello\n",
};
const RUN = ["skills", "run", "greet", "greet.sh", "world", "--skills", "skills", "--no-sandbox"];

describe.skipIf(!hasTerminals)("skills run without confinement, on a terminal", () => {
	const ask = (cwd: string, args = RUN): OnTerminal =>
		new OnTerminal(args, { cwd, columns: 200, env: { XDG_STATE_HOME: join(cwd, "state") } });
	const isAsked = (screen: string): boolean => screen.includes("Answer (1-3) [no]:");

	it("asks before a script runs, keeps what is approved for good, and asks again by name for what was changed", async () => {
		const cwd = temporarySkills(GREETING);
		const first = ask(cwd);
		const question = await first.until(isAsked);
		expect(question).toMatch(
			/^\[robot-lab\] May scripts of this skill run\?\n {2}Skill +greet in .*skills\/greet \(3 files, sha256:\w+…\)\n {2}Script +greet .*world.*\n {2}Asks for the network\n {2}Gets +everything that this user may do: it is not confined\n {2}Why +it was not approved before\n {2}1\) once\n {2}2\) always, until it changes\n {2}3\) no/m,
		);
		first.press("2\r");
		expect([await first.ended, first.written.includes("hello world")]).toEqual([0, true]);
		const second = ask(cwd);
		expect([await second.ended, second.written.includes("Answer")]).toEqual([0, false]);
		writeFileSync(join(cwd, "skills/greet/scripts/lib/words.sh"), "WORD=gotcha\n");
		const third = ask(cwd);
		expect(await third.until(isAsked)).toContain('it was changed since it was approved: changed "scripts/lib/words.sh"');
		third.press("\r");
		expect([await third.ended, third.written.includes("gotcha world")]).toEqual([1, false]);
		expect(third.written).toContain('The skill "greet" was not approved, after it had been changed');
	}, 90_000);

	it("takes nothing for an answer that was typed before the question was to be seen, an unfinished line neither", async () => {
		const terminal = ask(temporarySkills(GREETING));
		terminal.press("1\r1");
		expect(await terminal.until(isAsked)).toContain("(what was typed before this question is no answer to it)");
		terminal.press("\r");
		expect([await terminal.ended, terminal.written.includes("hello world")]).toEqual([1, false]);
	}, 90_000);

	it("asks about parameters as they were given, is interrupted meanwhile, and has run nothing", async () => {
		const args = ["skills", "run", "greet", "greet", "--param", "whom=world", "--skills", "skills", "--no-sandbox"];
		const terminal = ask(temporarySkills(GREETING), args);
		expect(await terminal.until(isAsked)).toMatch(/Script +greet \{"whom":"world"\}$/m);
		terminal.press("\u0003");
		expect([await terminal.ended, terminal.written.includes("hello world")]).toEqual([130, false]);
	});
});

describe("skills run without a terminal", () => {
	it("asks nobody, and with --ask runs only what was approved for good", () => {
		const cwd = temporarySkills(GREETING);
		expect(cliInThread(RUN, { cwd })).toMatchObject({ code: 0, stdout: "hello world\n" });
		const refused = cliInThread([...RUN, "--ask"], { cwd });
		expect(refused).toMatchObject({
			code: 1,
			stdout: "",
			stderr: expect.stringMatching(/was not approved: .*no terminal to ask on.*Nothing was run\./),
		});
	}, 60_000);
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Capabilities, configure, reloadConfig } from "@robot-lab/core";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createExecutor } from "../../src/run/executor.js";
import { chooseStrategy } from "../../src/strategy/choose.js";
import "../../src/register.js";
import { evaluateProfile } from "../../src/sbpl/index.js";
import { probeSeatbelt } from "../../src/seatbelt/probe.js";
import { sandboxStatus } from "../../src/strategy/status.js";
import { noSeatbelt } from "../support/no-seatbelt.js";
import { moveTemporaryDirectory, put, workshop } from "../support/workshop.js";

afterEach(() => {
	reloadConfig();
});

/** A program in the place of sandbox-exec, which notes each time it is called. */
function pretend(behaviour: string): { readonly program: string; readonly directory: string; readonly calls: () => number } {
	const directory = workshop();
	const program = put(join(directory, "sandbox-exec"), `#!/bin/bash\necho call >> '${directory}/calls'\n${behaviour}\n`, 0o755);
	const calls = (): number =>
		existsSync(join(directory, "calls")) ? readFileSync(join(directory, "calls"), "utf8").split("\n").length - 1 : 0;
	return { program, directory, calls };
}

const FAILURES = [
	[
		"rejects the profile",
		"echo 'sandbox-exec: unbound variable: x at <input string>, line 2' >&2; exit 65",
		"profile_rejected",
		"unbound variable",
	],
	[
		"is inside a sandbox",
		"echo 'sandbox-exec: sandbox_apply: Operation not permitted' >&2; exit 71",
		"nested_sandbox",
		"Run the host outside",
	],
	["does not find the shell", "echo \"sandbox-exec: execvp() of '/bin/sh' failed\" >&2; exit 71", "probe_failed", "execvp()"],
	["says 65 and nothing else", "exit 65", "probe_failed", "exit code 65"],
	["aborts, as what it started would", "kill -ABRT $$", "probe_failed", "aborted before it began"],
	["aborts by a shell's exit code", "exit 134", "probe_failed", "aborted before it began"],
	["confines nothing", 'shift 2; exec "$@"', "probe_failed", "not denied"],
	["lets be written and says that all is well", 'while [ $# -gt 1 ]; do shift; done; : > "$1"; exit 42', "probe_failed", "not denied"],
	["does nothing and says that all is well", "exit 0", "probe_failed", "exit code 0"],
] as const;

describe("probeSeatbelt()", () => {
	it("says backend_missing, and what to do, where there is no program or one that cannot be run", async () => {
		const unusable = put(join(workshop(), "sandbox-exec"), "", 0o644);
		for (const program of ["/nowhere/sandbox-exec", unusable]) {
			expect(await probeSeatbelt(program)).toMatchObject({ ok: false, code: "backend_missing", message: expect.stringContaining(program) });
		}
	});

	it.each(FAILURES)("of a program that %s: the typed reason, and no script runs", async (_, behaviour, code, text) => {
		const { program, directory } = pretend(behaviour);
		expect(await probeSeatbelt(program)).toMatchObject({ ok: false, code, message: expect.stringContaining(text) });

		configure({ sandbox: { enabled: true, fsWrite: [directory] } });
		const host = {
			platform: "darwin",
			choose: (grant, options) => chooseStrategy(grant, { ...options, sandboxExec: program }),
		} as const satisfies Parameters<typeof createExecutor>[0];
		const script = put(join(directory, "s.sh"), `touch ${directory}/ran\n`);
		const result = await createExecutor(host).run(["bash", script], {
			capabilities: new Capabilities({ fsWrite: [directory] }),
			skillDir: directory,
		});
		expect(result).toMatchObject({ refusal: { code, message: expect.stringContaining(text) }, exitCode: null, confinement: "none" });
		expect(existsSync(join(directory, "ran"))).toBe(false);
		expect(await sandboxStatus(host)).toMatchObject({
			strategy: "seatbelt",
			enforced: { fsRead: false, network: false },
			reason: expect.stringMatching(/^scripts are not run: /),
		});
	});

	it("gives up on a program that hangs, and ends it", { timeout: 30_000 }, async () => {
		const { program, directory } = pretend('echo $$ > "$0.pid"; exec sleep 60');
		expect(await probeSeatbelt(program)).toMatchObject({
			ok: false,
			code: "probe_failed",
			message: expect.stringContaining("did nothing for 10 seconds"),
		});
		const pid = Number(readFileSync(join(directory, "sandbox-exec.pid"), "utf8"));
		expect(() => process.kill(pid, 0)).toThrow("ESRCH");
	});

	it("asks once in a process for each program, however many ask at once, and each program for itself", async () => {
		const [good, bad] = [pretend("exit 42"), pretend("exit 1")];
		const answers = await Promise.all([probeSeatbelt(good.program), probeSeatbelt(good.program), probeSeatbelt(bad.program)]);
		expect(answers.map(({ ok }) => ok)).toEqual([true, true, false]);
		expect(await probeSeatbelt(good.program)).toBe(answers[0]);
		expect([good.calls(), bad.calls()]).toEqual([1, 1]);
	});

	it("has what it asks for denied by the profile it is asked with, and its own shell allowed", async () => {
		const { program, directory } = pretend(`cp "$2" "$0.sb"; printf '%s\\n' "\${@: -2}" > "$0.asked"; exit 42`);
		const temporary = workshop();
		const { restore } = moveTemporaryDirectory(temporary);
		onTestFinished(restore);
		expect(await probeSeatbelt(program)).toEqual({ ok: true });
		const decide = evaluateProfile(readFileSync(join(directory, "sandbox-exec.sb"), "utf8"));
		const mac = (path: string): string => path.replace(/^\/(tmp|var)\//, "/private/$1/");
		const [file = "", fresh = ""] = readFileSync(join(directory, "sandbox-exec.asked"), "utf8").trim().split("\n").map(mac);
		expect(decide("file-read-data", { path: file, vnodeType: "REGULAR-FILE" }).allowed).toBe(false);
		expect(decide("file-write-create", { path: fresh, vnodeType: "REGULAR-FILE" }).allowed).toBe(false);
		expect(decide("file-read-data", { path: "/bin/sh", vnodeType: "REGULAR-FILE" }).allowed).toBe(true);
		expect(readdirSync(temporary)).toEqual([]);
	});

	it.skipIf(noSeatbelt !== undefined)(`is content with this Mac (${noSeatbelt ?? "Seatbelt works here"})`, async () => {
		expect(await probeSeatbelt("/usr/bin/sandbox-exec")).toEqual({ ok: true });
	});
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBounded } from "../../src/process/index.js";

/** Says that it was there, and becomes the command. */
const LAUNCHER = ["/bin/sh", "-c", 'echo "launched by $0"; exec "$@"', "launcher"];

let directory: string;
beforeAll(() => {
	directory = mkdtempSync(join(tmpdir(), "launcher-test-"));
	writeFileSync(join(directory, "no-program"), "echo ran\n");
	writeFileSync(join(directory, "show.sh"), "echo ran; grep -c '^Max resident set.*[0-9]' /proc/self/limits 2> /dev/null; exit 3\n");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("runBounded() with a launcher", () => {
	it.each([
		["nothing else", {}],
		["a deadline, for which a run is marked too", { timeoutMs: 60_000 }],
		["survivors to kill", { survivors: "kill" }],
	] as const)("runs it before the command, with %s", async (_, options) => {
		const args = ["", "a b", "'\"$HOME`id`", "*", "--", "-n", "é\n2"];
		const command = ["perl", "-e", 'print map { "[$_]" } @ARGV; exit 3', "--", ...args];
		const { output, exitCode } = await runBounded(command, { ...options, launcher: LAUNCHER });
		expect(output).toBe(`launched by launcher\n${args.map((arg) => `[${arg}]`).join("")}`);
		expect(exitCode).toBe(3);
	});

	it("leaves the mark of a bash that marks itself as it is", async () => {
		const plain = await runBounded(["bash", "show.sh"], { cwd: directory, timeoutMs: 60_000 });
		const launched = await runBounded(["bash", "show.sh"], { cwd: directory, timeoutMs: 60_000, launcher: LAUNCHER });
		expect(launched.output).toBe(`launched by launcher\n${plain.output}`);
	});

	it("starts nothing where the command or its directory is missing, and names that", async () => {
		const { spawnError: expected } = await runBounded(["no-such-program"]);
		for (const options of [{}, { timeoutMs: 60_000 }]) {
			const missing = await runBounded(["no-such-program"], { ...options, launcher: LAUNCHER });
			expect(missing).toMatchObject({ output: "", exitCode: null, spawnError: expected });
			expect(await runBounded(["./no-program"], { ...options, cwd: directory, launcher: LAUNCHER })).toMatchObject({
				output: "",
				spawnError: { code: "EACCES" },
			});
			expect(await runBounded(["true"], { ...options, cwd: join(directory, "gone"), launcher: LAUNCHER })).toMatchObject({
				output: "",
				spawnError: { code: "ENOENT", message: expect.stringContaining('Cannot run "true"') },
			});
		}
	});

	it("answers with a value where the launcher is missing", async () => {
		expect(await runBounded(["true"], { launcher: [join(directory, "gone")] })).toMatchObject({ spawnError: { code: "ENOENT" } });
	});
});

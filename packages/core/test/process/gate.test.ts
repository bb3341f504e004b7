import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Gate, runBounded } from "../../src/process/index.js";

/** A gate that gives an answer and counts how often it was asked. */
function counting(answer: string): { readonly gate: Gate; readonly asked: () => number } {
	let asked = 0;
	const gate = (): string => {
		asked += 1;
		return answer;
	};
	return { gate, asked: () => asked };
}

const ASK = "echo may I >&4; read -r answer <&4; echo \"heard '$answer'\"; read -r more <&4 || echo closed";

describe("runBounded() with a gate", () => {
	it.each([
		["yes\n", "heard 'yes'\nclosed\n"],
		["", "heard ''\nclosed\n"],
	])("answers the child's first word with %j and closes the channel", async (answer, output) => {
		const { gate, asked } = counting(answer);
		const result = await runBounded(["bash", "-c", ASK], { fds: [undefined, gate] });
		expect(result).toMatchObject({ output, exitCode: 0 });
		expect(asked()).toBe(1);
	});

	it("leaves the child waiting that it does not answer yet, until the time is up", async () => {
		const { gate, asked } = counting("yes\n");
		const result = await runBounded(["bash", "-c", "echo waiting; read -r answer <&3; echo on"], { fds: [gate], timeoutMs: 500 });
		expect(result).toMatchObject({ timedOut: true, output: "waiting\n" });
		expect(asked()).toBe(0);
	});

	it("is no harm where the child asks and ends without hearing the answer", async () => {
		const { gate } = counting("yes\n");
		expect(await runBounded(["bash", "-c", "echo may I >&3; exit 5"], { fds: [gate] })).toMatchObject({ exitCode: 5 });
	});

	it("is closed with the run, whoever is left behind and waits at it", async () => {
		const { gate, asked } = counting("yes\n");
		const file = join(mkdtempSync(join(tmpdir(), "robot-lab-gate-")), "file");
		onTestFinished(() => rmSync(dirname(file), { recursive: true }));
		const left = '(read -r answer <&3; echo "closed$answer" > "$1") >/dev/null 2>&1 & echo gone';
		expect(await runBounded(["bash", "-c", left, "bash", file], { fds: [gate] })).toMatchObject({ output: "gone\n", exitCode: 0 });
		await expect.poll(() => (existsSync(file) ? readFileSync(file, "utf8") : ""), { timeout: 5000 }).toBe("closed\n");
		expect(asked()).toBe(0);
	});

	it("is not attended where the command cannot be started", async () => {
		const { gate, asked } = counting("yes\n");
		expect((await runBounded(["/nowhere/at/all"], { fds: [gate] })).spawnError?.code).toBe("ENOENT");
		expect(asked()).toBe(0);
	});
});

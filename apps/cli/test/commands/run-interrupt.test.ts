import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isAlive } from "../is-alive.js";
import { ended, startCli } from "../run-cli.js";
import { dataOf, runLog } from "../run-log.js";
import { skillMd, temporarySkills } from "../temporary-skills.js";

/** Heeds no signal, and neither do the process it leaves behind and the one that went into a session of its own. */
const STUBBORN = `#!/bin/bash
# Takes a nap.
trap "" TERM INT HUP
echo $$ > leader
(trap "" TERM INT HUP; echo $BASHPID > child; sleep 300) &
(command -v setsid > /dev/null && exec setsid sh -c 'echo $$ > apart; exec sleep 300') &
while [ ! -s child ]; do sleep 0.05; done
sleep 0.3
echo ready
wait
sleep 300
`;

/** A run whose script has said that it is ready. */
async function nap(): Promise<{ child: ChildProcess; pids: number[]; printed: () => string }> {
	const cwd = temporarySkills({
		"skills/nap/SKILL.md": skillMd("nap", "Takes a nap.", 'fs_write: ["."]'),
		"skills/nap/scripts/nap.sh": STUBBORN,
	});
	const child = startCli(["run", "Take a nap", "--json", "--skills", join(cwd, "skills"), "--allow-write", cwd], { cwd });
	let printed = "";
	await new Promise<void>((resolve, reject) => {
		child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
			printed += chunk;
			if (printed.includes('"delta":"ready')) resolve();
		});
		child.once("close", () => reject(new Error(`ended early: ${printed}`)));
	});
	const pids = ["leader", "child", "apart"]
		.map((name) => join(cwd, name))
		.filter(existsSync)
		.map((path) => Number(readFileSync(path, "utf8")));
	expect(pids.filter(isAlive).length).toBeGreaterThanOrEqual(2);
	return { child, pids, printed: () => printed };
}

it.each([
	["SIGINT", 130],
	["SIGTERM", 143],
	["SIGHUP", 129],
] as const)(
	"%s while a script runs ends it, all that it started and the command with %i, and the log with run.interrupted",
	async (signal, code) => {
		const { child, pids, printed } = await nap();
		child.kill(signal);
		expect(await ended(child)).toBe(code);
		expect(pids.filter(isAlive)).toEqual([]);
		const log = runLog(printed());
		expect(dataOf(log, "run.interrupted")).toMatchObject([{ reason: "user_cancellation", stopReason: "aborted" }]);
		expect(dataOf(log, "part.failed").find(({ type }) => type === "tool-output")).toMatchObject({ script: { aborted: true } });
	},
);

it("the same interrupt told twice, as an npm in between does, still ends the log", async () => {
	const { child, pids, printed } = await nap();
	child.kill("SIGINT");
	child.kill("SIGINT");
	expect(await ended(child)).toBe(130);
	expect(pids.filter(isAlive)).toEqual([]);
	expect(dataOf(runLog(printed()), "run.interrupted")).toHaveLength(1);
});

it("a second interrupt ends at once a command that does not end after the first", async () => {
	const interrupt = new URL("../../dist/interrupt.js", import.meta.url).href;
	// without timers the command's own limit cannot end it
	const program = `import { listenForInterrupts } from ${JSON.stringify(interrupt)};
		setInterval(() => {}, 1000);
		globalThis.setTimeout = () => ({ unref() {} });
		const { signal } = listenForInterrupts(() => {});
		signal.addEventListener("abort", () => console.log("aborted"));
		console.log("ready");`;
	const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
	onTestFinished(() => void child.kill("SIGKILL"));
	let said = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		said += chunk;
		if (chunk.includes("ready")) child.kill("SIGINT");
	});
	const again = setInterval(() => said.includes("aborted") && child.kill("SIGINT"), 200);
	onTestFinished(() => clearInterval(again));
	expect(await ended(child)).toBe(130);
	expect(said).toBe("ready\naborted\n");
});

// Linux alone has a device that is always full.
it.skipIf(process.platform !== "linux")("output that cannot be written is told of once, though what tells of it writes there, too", () => {
	const interrupt = new URL("../../dist/interrupt.js", import.meta.url).href;
	const program = `import { listenForInterrupts } from ${JSON.stringify(interrupt)};
		let told = 0;
		listenForInterrupts(() => {
			told += 1;
			if (told < 100) process.stdout.write("more");
		});
		process.on("exit", () => process.stderr.write(String(told)));
		process.stdout.write("first");`;
	const full = openSync("/dev/full", "w");
	onTestFinished(() => closeSync(full));
	const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
		stdio: ["ignore", full, "pipe"],
		encoding: "utf8",
	});
	expect({ status, stderr }).toEqual({ status: 1, stderr: "1" });
});

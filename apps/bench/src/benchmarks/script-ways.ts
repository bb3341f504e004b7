import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBounded } from "@robot-lab/core/process";
import { execa } from "execa";

/** A bash script that prints one line, in a directory of its own. */
export interface TrivialScript {
	readonly path: string;
	readonly remove: () => void;
}

export function writeTrivialScript(): TrivialScript {
	const directory = mkdtempSync(join(tmpdir(), "robot-lab-bench-"));
	const path = join(directory, "trivial.sh");
	writeFileSync(path, "#!/bin/bash\necho hello\n", { mode: 0o755 });
	return { path, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** The ways of running a script that are compared. All give the child its own group and read the whole output. */
export function scriptWays(path: string): Record<string, () => Promise<void>> {
	return {
		"child_process.spawn": () => spawnRaw(path),
		"execa, buffering": async () => {
			await execa("bash", [path], { detached: true, cleanup: false, reject: false, stdin: "ignore" });
		},
		"execa, no buffering": () => execaUnbuffered(path),
		"runBounded, nothing can end it": () => bounded(path, {}),
		"runBounded, deadline and signal": () => bounded(path, { timeoutMs: 60_000, signal: neverAborted }),
		"runBounded, survivors killed": () => bounded(path, { timeoutMs: 60_000, signal: neverAborted, survivors: "kill" }),
	};
}

const neverAborted: AbortSignal = new AbortController().signal;

function spawnRaw(path: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn("bash", [path], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
		child.stdout.resume();
		child.stderr.resume();
		child.once("error", reject);
		child.once("close", () => resolve());
	});
}

async function execaUnbuffered(path: string): Promise<void> {
	const child = execa("bash", [path], {
		detached: true,
		cleanup: false,
		reject: false,
		stdin: "ignore",
		buffer: false,
		encoding: "buffer",
	});
	child.stdout.resume();
	child.stderr.resume();
	await child;
}

async function bounded(path: string, options: Parameters<typeof runBounded>[1]): Promise<void> {
	const { output } = await runBounded(["bash", path], options);
	if (output !== "hello\n") throw new Error(`The script's output was ${JSON.stringify(output)}`);
}

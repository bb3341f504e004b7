import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Capabilities, configure, reloadConfig, ScriptTool } from "@robot-lab/core";
import { Sandbox } from "@robot-lab/sandbox";
import type { Benchmark, PreparedBenchmark } from "../benchmark.js";
import { writeTrivialScript } from "./script-ways.js";
import { sandboxRuntime } from "./srt.js";

export const confinedScript: Benchmark = {
	name: "confined-script",
	question: "a bash script that prints one line, confined on Linux",
	rounds: 100,
	baseline: "bwrap, same arguments",
	prepare,
};

async function prepare(): Promise<PreparedBenchmark> {
	const script = writeTrivialScript();
	const bare = await bareBubblewrap(script.path);
	const srt = await sandboxRuntime(script.path);
	configure({ sandbox: { enabled: true, backend: "bubblewrap" } });
	return {
		cases: {
			"child_process.spawn, unconfined": () => started("bash", [script.path], []),
			"bwrap, same arguments": bare.run,
			"bwrap, without the shell inside": bare.runWithoutShell,
			"Sandbox.Executor": () => executor(script.path),
			...(srt && { "sandbox-runtime, library call": srt.run }),
		},
		dispose: () => {
			reloadConfig();
			bare.remove();
			script.remove();
			void srt?.stop();
		},
	};
}

async function executor(path: string): Promise<void> {
	const result = await ScriptTool.run(["bash", path], { capabilities: new Capabilities(), skillDir: dirname(path) });
	if (result.output !== "hello\n" || result.confinement !== "bubblewrap")
		throw new Error(`The script ended with ${JSON.stringify(result)}`);
}

/** What the shell inside asks its host takes the place of the first byte, and what it reads next is that it may go on. */
const ASKED_AND_ANSWERED = "?go\ngo\n";

interface BareBubblewrap {
	readonly run: () => Promise<void>;
	readonly runWithoutShell: () => Promise<void>;
	readonly remove: () => void;
}

/** bwrap with what the executor gives it, arguments and descriptors, started as simply as Node can. What is not measured is done beforehand. */
async function bareBubblewrap(path: string): Promise<BareBubblewrap> {
	const directory = mkdtempSync(join(tmpdir(), "robot-lab-bench-"));
	const options = { skillDir: dirname(path), command: ["bash", path], scratchDir: directory };
	const strategy = new Sandbox.Bubblewrap(new Capabilities(), options);
	const [program = "", ...args] = await strategy.wrap(options.command);
	const files = (strategy.spawn.fds ?? []).map((fd, index) => {
		if (fd === undefined) return undefined;
		const copy = join(directory, String(index));
		writeFileSync(copy, typeof fd === "function" ? ASKED_AND_ANSWERED : readFileSync(fd));
		return copy;
	});
	const withoutShell = [...args.slice(0, args.indexOf("--") + 1), ...options.command];
	await strategy.cleanup();
	return {
		run: () => started(program, args, files),
		runWithoutShell: () => started(program, withoutShell, files),
		remove: () => rmSync(directory, { recursive: true, force: true }),
	};
}

function started(file: string, args: readonly string[], files: readonly (string | undefined)[]): Promise<void> {
	const fds = files.map((name) => (name === undefined ? "ignore" : openSync(name, "r+")));
	return new Promise((resolve, reject) => {
		const child = spawn(file, [...args], { detached: true, stdio: ["ignore", "pipe", "pipe", ...fds] });
		for (const fd of fds) if (fd !== "ignore") closeSync(fd);
		let output = "";
		child.stdout?.on("data", (bytes: Buffer) => {
			output += bytes.toString();
		});
		child.stderr?.resume();
		child.once("error", reject);
		child.once("close", () => (output === "hello\n" ? resolve() : reject(new Error(`${file} printed ${JSON.stringify(output)}`))));
	});
}

import { spawn } from "node:child_process";
import { runBounded } from "@robot-lab/core/process";
import type { Benchmark } from "../benchmark.js";

const BYTES = 50_000_000;
const COMMAND = ["head", "-c", String(BYTES), "/dev/zero"];

export const largeOutput: Benchmark = {
	name: "large-output",
	question: `a command that prints ${BYTES / 1e6} MB`,
	rounds: 20,
	baseline: "child_process.spawn",
	prepare: async () => ({
		cases: {
			"child_process.spawn": readAndForget,
			runBounded: async () => {
				const { truncatedBytes } = await runBounded(COMMAND, {});
				if (truncatedBytes < BYTES - 2 ** 20) throw new Error(`Only ${truncatedBytes} bytes were cut`);
			},
		},
	}),
};

function readAndForget(): Promise<void> {
	const [file = "", ...args] = COMMAND;
	return new Promise((resolve, reject) => {
		const child = spawn(file, args, { stdio: ["ignore", "pipe", "ignore"] });
		child.stdout.resume();
		child.once("error", reject);
		child.once("close", () => resolve());
	});
}

import { spawn } from "node:child_process";
import type { Benchmark } from "../benchmark.js";

const MODULES = ["node:child_process", "execa", "@robot-lab/core/process", "@robot-lab/core"];

export const importTime: Benchmark = {
	name: "import-time",
	question: "starting Node and importing a module",
	rounds: 15,
	baseline: "node:child_process",
	prepare: async () => ({ cases: Object.fromEntries(MODULES.map((module) => [module, () => importInNode(import.meta.resolve(module))])) }),
};

function importInNode(url: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, ["--input-type=module", "--eval", `await import(${JSON.stringify(url)})`], { stdio: "ignore" });
		child.once("error", reject);
		child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`Importing ${url} ended with exit code ${code}`))));
	});
}

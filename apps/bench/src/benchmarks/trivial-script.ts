import type { Benchmark } from "../benchmark.js";
import { scriptWays, writeTrivialScript } from "./script-ways.js";

export const trivialScript: Benchmark = {
	name: "trivial-script",
	question: "a bash script that prints one line, one after another",
	rounds: 200,
	baseline: "child_process.spawn",
	prepare: async () => {
		const script = writeTrivialScript();
		return { cases: scriptWays(script.path), dispose: script.remove };
	},
};

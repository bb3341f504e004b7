import type { Benchmark } from "../benchmark.js";
import { scriptWays, writeTrivialScript } from "./script-ways.js";

const AT_ONCE = 64;

export const parallelScripts: Benchmark = {
	name: "parallel-scripts",
	question: `${AT_ONCE} bash scripts that print one line, at once`,
	rounds: 20,
	baseline: "child_process.spawn",
	prepare: async () => {
		const script = writeTrivialScript();
		const ways = Object.entries(scriptWays(script.path));
		return { cases: Object.fromEntries(ways.map(([name, way]) => [name, () => manyTimes(way)])), dispose: script.remove };
	},
};

async function manyTimes(way: () => Promise<void>): Promise<void> {
	await Promise.all(Array.from({ length: AT_ONCE }, way));
}

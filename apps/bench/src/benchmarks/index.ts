import type { Benchmark } from "../benchmark.js";
import { approvedScript } from "./approved-script.js";
import { busAwaited } from "./bus-awaited.js";
import { confinedScript } from "./confined-script.js";
import { deltaListeners } from "./delta-listeners.js";
import { importTime } from "./import-time.js";
import { largeOutput } from "./large-output.js";
import { loadSkillsPeers } from "./load-skills.js";
import { matchBenchmarks } from "./match-skills.js";
import { networkPeers } from "./network-peers.js";
import { parallelScripts } from "./parallel-scripts.js";
import { robotPeers } from "./robot-peers.js";
import { robotBenchmarks } from "./robot-run.js";
import { runPeers } from "./run-peers.js";
import { trivialScript } from "./trivial-script.js";

/** Every benchmark. A new one is a file beside this one and a word in this list. */
export const benchmarks: readonly Benchmark[] = [
	trivialScript,
	parallelScripts,
	confinedScript,
	approvedScript,
	largeOutput,
	importTime,
	...robotBenchmarks,
	...runPeers,
	robotPeers,
	...deltaListeners,
	...networkPeers,
	...busAwaited,
	...matchBenchmarks,
	loadSkillsPeers,
];

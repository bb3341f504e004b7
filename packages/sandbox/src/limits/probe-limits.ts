import { Capabilities, type ResourceLimits, SandboxUnavailableError, toScriptResult } from "@robot-lab/core";
import { runBounded } from "@robot-lab/core/process";
import { Bubblewrap } from "../bubblewrap/bubblewrap.js";
import type { StrategyName } from "../strategy/strategy.js";
import { type Amounts, amountsOf } from "./amounts.js";
import type { Counted } from "./limit-host.js";
import { setting } from "./setting.js";

/** What was seen of limits that were set. */
export interface LimitProbe {
	/** Whether a process found itself with what was set. */
	readonly isSet: boolean;
	readonly counted: Counted;
}

export interface ProbeRequest {
	/** The program to set them with. */
	readonly setter: string;
	readonly platform: NodeJS.Platform;
	readonly strategy: StrategyName;
	/** What this process has itself. */
	readonly own: Amounts;
}

const PROBE_TIMEOUT_MS = 10_000;

/** Nothing that is tried reaches any of these, but for the processes. */
const PROBED: ResourceLimits = { fileSizeMb: 8, cpuSeconds: 1000 };
/** The script that looks, and one more. */
const PROBED_PROCESSES = 2;

const SHOW = "ulimit -S -f; ulimit -H -f; ulimit -S -t; ulimit -H -t";
/**
 * Starts one process and another one from it, each waiting for the next, by `setsid`, which comes with prlimit: a shell that may start none
 * would try again, bash for fifteen seconds.
 */
const START = "exec /usr/bin/setsid -f -w /bin/sh -c 'echo one; exec /usr/bin/setsid -f -w echo two'";
const BLOCK_BYTES = 512;

/**
 * Sets limits for real and looks at what came of it, as a script under that strategy would be started. Processes are counted inside
 * bubblewrap only.
 *
 * Rejects with a SandboxUnavailableError where bubblewrap does not work: its own, or `probe_failed` when what was tried was not run.
 */
export async function probeLimits({ setter, platform, strategy, own }: ProbeRequest): Promise<LimitProbe> {
	const isInside = strategy === "bubblewrap";
	const amounts = amountsOf({ ...PROBED, ...(isInside && { processes: PROBED_PROCESSES }) }, own);
	const command = [...setting(amounts, { setter, platform }), "/bin/sh", "-c", isInside ? `${SHOW}; ${START}` : SHOW];
	const [fileSoft, fileHard, cpuSoft, cpuHard, ...started] = (isInside ? await runInside(command) : await run(command)).split("\n");
	const file = amounts.get("fileSizeMb");
	const cpu = amounts.get("cpuSeconds");
	const expected = [file?.soft, file?.hard].map((bytes = 0) => String(Math.floor(bytes / BLOCK_BYTES)));
	expected.push(String(cpu?.soft), String(cpu?.hard));
	return { isSet: expected.join() === [fileSoft, fileHard, cpuSoft, cpuHard].join(), counted: countedBy(started) };
}

function countedBy(started: readonly string[]): Counted {
	if (started.includes("two")) return "nobody";
	return started.includes("one") ? "script" : "user";
}

async function run(command: readonly string[]): Promise<string> {
	const ended = await runBounded(command, { cwd: "/", env: {}, timeoutMs: PROBE_TIMEOUT_MS, survivors: "kill" });
	return ended.output;
}

async function runInside(command: readonly string[]): Promise<string> {
	const environment = { PATH: "/usr/bin:/bin" };
	const strategy = new Bubblewrap(new Capabilities(), { skillDir: "/usr", cwd: "/", searchPath: "", environment });
	try {
		const argv = await strategy.wrap(command);
		const ended = await runBounded(argv, { ...strategy.spawn, cwd: "/", env: {}, timeoutMs: PROBE_TIMEOUT_MS });
		const { refusal } = strategy.conclude(toScriptResult(ended, "bubblewrap"));
		if (refusal !== undefined) throw new SandboxUnavailableError("probe_failed", refusal.message);
		return ended.output;
	} finally {
		await strategy.cleanup();
	}
}

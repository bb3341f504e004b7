import {
	type Capabilities,
	refusedResult,
	type SandboxRefusalCode,
	SandboxUnavailableError,
	type ScriptOptions,
	type ScriptResult,
	scriptSurroundings,
	toScriptResult,
} from "@robot-lab/core";
import { type BoundedRunResult, findProgram, runBounded } from "@robot-lab/core/process";
import { confinedEnvironment } from "../grant/environment.js";
import { grantFacts } from "../grant/grant-facts.js";
import { homeDirectory } from "../host/home-directory.js";
import { limitNote } from "../limits/limit-note.js";
import { limiting } from "../limits/limiting.js";
import type { Strategy } from "../strategy/strategy.js";
import { withNotes } from "../strategy/with-notes.js";
import { callersBounds } from "./bounds.js";
import { denialNote } from "./denial-note.js";
import { withScratch } from "./scratch.js";

/** What is known about a run only once it is about to begin. */
export interface Surroundings {
	readonly cwd: string;
	readonly scratchDir: string;
	readonly searchPath: string;
	/** The script's whole environment. */
	readonly environment: Readonly<Record<string, string>>;
}

export interface ConfinedRun {
	readonly command: readonly string[];
	readonly options: ScriptOptions;
	readonly grant: Capabilities;
	/** Names of variables of the host that this script gets besides those that every confined one gets. */
	readonly envPass: readonly string[];
	/** Makes the strategy, once it is known where temporary files go and which environment counts. */
	readonly strategyFor: (surroundings: Surroundings) => Strategy;
	readonly platform: NodeJS.Platform;
}

/**
 * Runs a script inside its grant, and ends with it all that it started.
 *
 * Throws a SandboxUnavailableError for a grant or a computer that does not allow for that; nothing was run then.
 */
export async function runConfined(run: ConfinedRun): Promise<ScriptResult> {
	const { options, grant } = run;
	options.onLifecycle?.("sandbox_boot", { grant: grantFacts(grant) });
	try {
		const result = await withScratch((scratchDir) => runWithScratch(run, scratchDir));
		if (result.refusal !== undefined) options.onLifecycle?.("sandbox_error", { ...result.refusal });
		return result;
	} catch (error) {
		if (SandboxUnavailableError.isInstance(error)) {
			options.onLifecycle?.("sandbox_error", { code: error.code, message: error.message });
		}
		throw error;
	}
}

async function runWithScratch(run: ConfinedRun, scratchDir: string): Promise<ScriptResult> {
	const { command, options, grant, envPass, platform } = run;
	const { cwd, variables } = scriptSurroundings(options);
	const env = confinedEnvironment({ host: process.env, variables, envPass, grant, scratchDir, home: homeDirectory(), platform });
	const strategy = run.strategyFor({ cwd, scratchDir, searchPath: env.PATH ?? "", environment: env });
	try {
		if (strategy.name === "none") throw confinementLost();
		const { inside, outside: launcher } = await limiting({ limits: grant.limits, strategy: strategy.name, platform });
		const argv = await strategy.wrap([...inside, ...command]);
		await checkReadiness(strategy);
		options.onLifecycle?.("sandbox_ready", { confinement: strategy.name });
		const ended = await runBounded(argv, {
			...callersBounds(options, grant.limits),
			cwd,
			env: { ...env, ...strategy.spawn?.env },
			...(strategy.spawn?.fds && { fds: strategy.spawn.fds }),
			...(strategy.spawn?.enclosure && { enclosure: strategy.spawn.enclosure }),
			launcher,
			timeoutMs: grant.timeout * 1000,
			survivors: "kill",
			onSpawn: (pid) => options.onLifecycle?.("command_start", { command, pid, confinement: strategy.name }),
		});
		if (ended.timedOut || ended.aborted) options.onLifecycle?.("sandbox_killed", { confinement: strategy.name, timedOut: ended.timedOut });
		return await confinedResult(ended, { strategy, grant, program: argv[0] ?? "" });
	} finally {
		await strategy.cleanup();
	}
}

/** Only once in a process it costs anything. After `wrap`, so that a grant that cannot be expressed is told of first. */
async function checkReadiness(strategy: Strategy): Promise<void> {
	const readiness = await strategy.probe?.();
	if (readiness === undefined || readiness.ok) return;
	throw new SandboxUnavailableError(readiness.code, `Scripts are to be confined by ${strategy.name}: ${readiness.message}`);
}

interface Confined {
	readonly strategy: Strategy;
	readonly grant: Capabilities;
	/** What confined, or was to. */
	readonly program: string;
}

async function confinedResult(ended: BoundedRunResult, { strategy, grant, program }: Confined): Promise<ScriptResult> {
	if (ended.spawnError !== undefined && !("path" in findProgram(program, "/", ""))) {
		return refusedResult(
			"backend_missing" satisfies SandboxRefusalCode,
			`The program that confines scripts cannot be started: ${ended.spawnError.message}`,
		);
	}
	const seen = toScriptResult(ended, strategy.name);
	const result = (await strategy.conclude?.(seen)) ?? seen;
	if (result.refusal !== undefined) return result;
	// Each whatever the others are: a script that brings one about must not hide what it was granted.
	return withNotes(result, limitNote(result, grant.limits), denialNote(result, grant));
}

/** A run that was to be confined is never run by a strategy that confines nothing, whatever changed in between. */
const confinementLost = (): SandboxUnavailableError =>
	new SandboxUnavailableError(
		"backend_missing",
		"The script was to be confined, but nothing confines it any more: what confines scripts changed while its run began. Run it again.",
	);

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Channels } from "./channels.js";
import { attendGates } from "./gate.js";
import { Lineage } from "./lineage.js";
import { type Mark, newMark } from "./mark.js";
import type { Marking } from "./marking.js";
import { descriptorTarget, hasProcFiles, readEntry } from "./proc-files.js";
import type { RunPlan } from "./run-plan.js";
import { explainedFailure, missingPart, type SpawnFailure } from "./spawn-failure.js";
import { type ProcessTree, RUN_ID_VARIABLE } from "./tree.js";

/** A command that runs, and how everything it starts is known. */
export interface StartedCommand {
	readonly child: ChildProcess;
	readonly tree: ProcessTree;
}

/**
 * Starts the command in a process group and a session of its own, on the channels it was given.
 *
 * @param marking How what it starts is marked; without it nothing is.
 */
export async function startCommand(
	plan: RunPlan,
	channels: Channels,
	marking: Marking | undefined,
): Promise<StartedCommand | SpawnFailure> {
	const runId = randomUUID();
	const mark = marking && newMark();
	const launched = plan.launcher.length === 0 ? plan : { ...plan, command: [...plan.launcher, ...plan.command] };
	const marked = mark === undefined ? launched : (marking?.(launched, mark) ?? launched);
	// A program that does something and then becomes the command could tell what is missing in the output only.
	const missing = marked.command === plan.command ? undefined : missingPart(plan);
	if (missing !== undefined) return missing;
	try {
		const child = spawnChild(marked, channels, runId);
		if (child.pid === undefined) return explainedFailure((await once(child, "error"))[0], plan);
		attendGates(child, plan.fds);
		return { child, tree: { ...treeOf(child.pid, runId, mark, channels), enclosure: plan.enclosure } };
	} catch (error) {
		return explainedFailure(error, plan);
	}
}

function spawnChild(plan: RunPlan, { input, outputs }: Channels, runId: string): ChildProcess {
	const [file = "", ...args] = plan.command;
	const [stdout, stderr = stdout] = outputs.map(({ writeFd }) => writeFd);
	const outer = process.env[RUN_ID_VARIABLE];
	return spawn(file, args, {
		detached: true,
		stdio: [input, stdout, stderr, ...plan.fds.map((fd) => (typeof fd === "function" ? "pipe" : (fd ?? "ignore")))],
		env: { ...plan.env, [RUN_ID_VARIABLE]: outer === undefined ? runId : `${outer}/${runId}` },
		...(plan.cwd === undefined ? {} : { cwd: plan.cwd }),
	});
}

function treeOf(pid: number, runId: string, mark: Mark | undefined, { outputs }: Channels): ProcessTree {
	const leader = (hasProcFiles ? readEntry(pid) : undefined) ?? { pid, start: "" };
	const pipes = hasProcFiles ? outputs.map(({ readFd }) => descriptorTarget("self", readFd)) : [];
	return { leader, runId, mark, pipes, lineage: new Lineage(leader) };
}

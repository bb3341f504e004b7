import { closeSync } from "node:fs";
import { type Fifo, takeFifo } from "./fifo-pool.js";
import { openInput } from "./input-file.js";
import type { RunPlan } from "./run-plan.js";

/** What a child's standard streams are connected to. */
export interface Channels {
	readonly input: number | "ignore" | "pipe";
	/** One for both streams, in one order; or stdout's and stderr's. */
	readonly outputs: readonly Fifo[];
}

/** Opens everything the run needs, or nothing: what was opened is closed again when the rest fails. */
export async function openChannels(plan: RunPlan): Promise<Channels> {
	const [input, ...outputs] = await Promise.allSettled([
		plan.stdin === undefined ? ("ignore" as const) : openInput(plan.stdin),
		takeFifo(),
		...(plan.separate ? [takeFifo()] : []),
	]);
	const fifos = outputs.flatMap((output) => (output.status === "fulfilled" ? [output.value] : []));
	const failed = [input, ...outputs].find((opening) => opening.status === "rejected");
	if (input.status === "fulfilled" && failed === undefined) return { input: input.value, outputs: fifos };
	closeChannels({ input: input.status === "fulfilled" ? input.value : "ignore", outputs: fifos });
	throw failed?.reason;
}

/** Closes the child's ends in this process, which is what lets the end of the output ever come. */
export function closeChildEnds({ input, outputs }: Channels): void {
	if (typeof input === "number") closeSync(input);
	for (const { writeFd } of outputs) closeSync(writeFd);
}

/** Closes both ends of everything. */
export function closeChannels(channels: Channels): void {
	closeChildEnds(channels);
	for (const { readFd } of channels.outputs) closeSync(readFd);
}

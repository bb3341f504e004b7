import { config, configure } from "@robot-lab/core";
import { Sandbox, type SandboxStatus } from "@robot-lab/sandbox";
import { WorkError } from "../exit.js";
import { applyCeiling, type CeilingOptions } from "../options.js";

/**
 * Sets how far the scripts of a server may go, and gives how they are confined. Nobody watches what a client's model calls: so where nothing confines
 * unless it is told to, as on Linux, bubblewrap does. Rejects where that cannot be had either. Whoever names a backend, or says --no-sandbox, has decided.
 */
export async function confineServer(options: CeilingOptions): Promise<SandboxStatus> {
	applyCeiling(options);
	const status = await Sandbox.status();
	const isLeftToUs = options.sandbox && config().sandbox?.backend === "auto";
	if (!isLeftToUs || status.strategy !== "none" || status.refuses) return status;
	configure({ sandbox: { backend: "bubblewrap" } });
	return confining(await Sandbox.status());
}

/** Throws where scripts would not be run at all. */
export function confining(status: SandboxStatus): SandboxStatus {
	if (!status.refuses) return status;
	throw new WorkError(
		`Nothing can confine scripts here (${status.reason ?? "unknown reason"}), and a client may call them without a question. Install bubblewrap and see what robot-lab sandbox doctor says, or serve them unconfined with --no-sandbox.`,
	);
}

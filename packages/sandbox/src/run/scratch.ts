import { SandboxUnavailableError } from "@robot-lab/core";
import { createPrivateDirectory, type PrivateDirectory } from "../host/private-directory.js";

export const SCRATCH_PREFIX = "robot-lab-run-";

/**
 * Runs something that has a private directory for temporary files until it is over. Throws a SandboxUnavailableError
 * (`scratch_not_made`) when there can be none.
 */
export async function withScratch<T>(use: (path: string) => Promise<T>): Promise<T> {
	const scratch = await makeScratch();
	try {
		return await use(scratch.path);
	} finally {
		await scratch.remove();
	}
}

async function makeScratch(): Promise<PrivateDirectory> {
	try {
		return await createPrivateDirectory(SCRATCH_PREFIX);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new SandboxUnavailableError("scratch_not_made", `The script's temporary directory cannot be made: ${why}. Check the system's.`, {
			cause,
		});
	}
}

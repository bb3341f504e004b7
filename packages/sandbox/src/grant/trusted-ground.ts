import { type Capabilities, type Config, SandboxUnavailableError, trustedDirectories } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { realOr } from "../host/host-paths.js";

/**
 * Throws a SandboxUnavailableError (`invalid_grant`) for a path to write where a script could make or change a bundle that may claim
 * `trust: core`: what it puts there would run unconfined the next time.
 */
export function checkTrustedGround({ fsWrite }: Capabilities, config: Config): void {
	if (fsWrite.length === 0) return;
	for (const directory of trustedDirectories(config)) {
		const root = realOr(directory);
		const path = fsWrite.find((each) => isAtOrBelow(each, root) || isAtOrBelow(root, each));
		if (path !== undefined) refuse(path, directory);
	}
}

function refuse(path: string, directory: string): never {
	throw new SandboxUnavailableError(
		"invalid_grant",
		`The script cannot be confined with fs_write ${JSON.stringify(path)}: bundles in ${JSON.stringify(directory)} may be trusted (sandbox.trustCore), and what a script writes there would run unconfined. Grant a directory elsewhere, or take this one out of sandbox.trustCore.`,
	);
}

import { config, SandboxUnavailableError, trustedDirectories } from "@robot-lab/core";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { realOr } from "../host/host-paths.js";

export interface TrustedGroundRequest {
	/** Real paths that a grant lets be written. */
	readonly write: readonly string[];
	/** Directories in which bundles may claim `trust: core`. Default: what the current configuration lists. */
	readonly trustCore: readonly string[] | undefined;
	/** Makes real paths of one place equal, where the system has more than one spelling of it. Default: it has not. */
	readonly spelt?: (path: string) => string;
}

/**
 * Throws a SandboxUnavailableError (`invalid_grant`) for a path to write where a script could make or change a bundle that may claim
 * `trust: core`: what it puts there would run unconfined the next time.
 */
export function checkTrustedGround({ write, trustCore, spelt = (path) => path }: TrustedGroundRequest): void {
	if (write.length === 0) return;
	for (const directory of trustCore ?? trustedDirectories(config())) {
		const root = spelt(realOr(directory));
		const path = write.find((each) => isAtOrBelow(spelt(each), root) || isAtOrBelow(root, spelt(each)));
		if (path !== undefined) refuse(path, directory);
	}
}

function refuse(path: string, directory: string): never {
	throw new SandboxUnavailableError(
		"invalid_grant",
		`The script cannot be confined with fs_write ${JSON.stringify(path)}: bundles in ${JSON.stringify(directory)} may be trusted (sandbox.trustCore), and what a script writes there would run unconfined. Grant a directory elsewhere, or take this one out of sandbox.trustCore.`,
	);
}

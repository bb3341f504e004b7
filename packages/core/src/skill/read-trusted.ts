import { dirname } from "node:path";
import { config } from "../config/configure.js";
import { trustedDirectories } from "../config/resolve.js";
import { type Bundle, readBundle } from "./read-bundle.js";
import { judgeTrust, withoutTrust } from "./trust.js";
import type { ValidationMode } from "./validation-mode.js";

/** The bundle with the trust that the host lets it have. Rejects as `readBundle` does. */
export async function readTrusted(file: string, mode: ValidationMode, within?: string): Promise<Bundle> {
	const claim = await readBundle(file, dirname(file), mode, within);
	if (!claim.fields.capabilities.isCore) return claim;
	const verdict = judgeTrust(file, trustedDirectories(config()));
	if (verdict.refusal !== undefined) return withoutTrust(claim, verdict.refusal);
	// Again, from where no link is on the way: what was read first may have come from somewhere else.
	return readBundle(verdict.skillMdPath, verdict.directory, mode, within);
}

import type { Capabilities, ScriptResult } from "@robot-lab/core";
import { describeGrant } from "./grant/describe-grant.js";

/** How programs say that the system refused them something. Confinement answers with these too, and cannot be told apart. */
const REFUSED = /operation not permitted|permission denied|\bEPERM\b|\bEACCES\b/i;

/** One line for a script that failed and was refused something: what it was granted, as a possible cause. */
export function denialNote(result: ScriptResult, grant: Capabilities): string | undefined {
	if (result.exitCode === 0 || !REFUSED.test(result.output)) return undefined;
	return `The sandbox may have refused this. Granted: ${describeGrant(grant)}.`;
}

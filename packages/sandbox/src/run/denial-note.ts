import type { Capabilities, ScriptResult } from "@robot-lab/core";
import { describeGrant } from "../grant/describe-grant.js";

/** How programs say that the system refused them something. Confinement answers with these too, and cannot be told apart. */
const REFUSED = /operation not permitted|permission denied|\bEPERM\b|\bEACCES\b/i;
/** Under bubblewrap what is not granted is not there, and what may only be read is so for everybody. */
const NOT_THERE =
	/no such file or directory|read-only file system|network is unreachable|name resolution|could not resolve|\b(ENOENT|EROFS|ENETUNREACH|EAI_AGAIN)\b/i;

/** One line for a script that failed and was refused something: what it was granted, as a possible cause. */
export function denialNote(result: ScriptResult, grant: Capabilities): string | undefined {
	const looksRefused = REFUSED.test(result.output) || (result.confinement === "bubblewrap" && NOT_THERE.test(result.output));
	if (result.exitCode === 0 || !looksRefused) return undefined;
	return `The sandbox may have refused this. Granted: ${describeGrant(grant)}.`;
}

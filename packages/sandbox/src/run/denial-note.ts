import type { Capabilities, ScriptResult } from "@robot-lab/core";
import { describeGrant } from "../grant/describe-grant.js";

/** How programs say that the system refused them something. Confinement answers with these too, and cannot be told apart. */
const REFUSED = /operation not permitted|permission denied|\bEPERM\b|\bEACCES\b/i;
/** Under bubblewrap what is not granted is not there, and what may only be read is so for everybody. */
const NOT_THERE =
	/no such file or directory|read-only file system|network is unreachable|name resolution|could not resolve|\b(ENOENT|EROFS|ENETUNREACH|EAI_AGAIN)\b/i;

/**
 * One line for a script that failed and seems to have been refused something: what it was granted, as a possible cause, and who can change that. A script that was
 * granted nothing gets the line whatever it printed: it may name what it lacks in words that nobody here knows.
 */
export function denialNote(result: ScriptResult, grant: Capabilities): string | undefined {
	if (result.exitCode === 0) return undefined;
	const looksRefused = REFUSED.test(result.output) || (result.confinement === "bubblewrap" && NOT_THERE.test(result.output));
	const lacksAll = isEmpty(grant) && !result.timedOut && !result.aborted;
	if (!looksRefused && !lacksAll) return undefined;
	return `The sandbox may have refused this. Granted: ${describeGrant(grant)}.${wayOut(grant)}`;
}

const isEmpty = ({ fsRead, fsWrite, network }: Capabilities): boolean => fsRead.length === 0 && fsWrite.length === 0 && !network;

/** Only the grant is known here: whether SKILL.md asks for nothing, or a grant stands in the place of what it asks for, is not. */
const NOTHING_GRANTED =
	' Nothing is granted to this skill. Its author can ask, in the metadata of SKILL.md (robot-lab.fs_read: "."); its user can grant, in the configuration (skills.grants) or for once: skills run … --grant fs_read=DIR, run or mcp … --grant SKILL:fs_read=DIR.';

function wayOut(grant: Capabilities): string {
	const kept = [...new Set(grant.refused.map(({ field }) => CEILING[field]))];
	if (kept.length > 0) return ` The ceiling kept back more: ${kept.join(", ")} raises it.`;
	return isEmpty(grant) ? NOTHING_GRANTED : "";
}

const CEILING = {
	fsRead: "sandbox.fs_read (--allow-read)",
	fsWrite: "sandbox.fs_write (--allow-write)",
	network: "sandbox.network (--allow-network)",
} as const;

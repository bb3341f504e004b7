import type { Capabilities } from "@robot-lab/core";

/** What may be reached, the widest first; `nothing` where that is so. Time and limits are not among it. */
export function rightsWords({ fsRead, fsWrite, network }: Capabilities, words: (paths: readonly string[]) => string): string {
	const parts = [
		...(network ? ["the network"] : []),
		...(fsWrite.length > 0 ? [`writing ${words(fsWrite)}`] : []),
		...(fsRead.length > 0 ? [`reading ${words(fsRead)}`] : []),
	];
	return parts.join("; ") || "nothing";
}

import type { Capabilities } from "@robot-lab/core";

/** A grant as plain data, for the log of a run. */
export function grantFacts({ fsRead, fsWrite, network, timeout, trust, limits, refused }: Capabilities): object {
	return { fsRead, fsWrite, network, timeout, trust, limits, refused };
}

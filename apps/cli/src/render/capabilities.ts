import type { Capabilities } from "@robot-lab/core";

/** A skill's capabilities, asked for or given, as programs read them. */
export function capabilitiesRecord(capabilities: Capabilities): object {
	return { ...ceilingRecord(capabilities), trust: capabilities.trust };
}

/** The ceiling as programs read it. Trust is the skill's, so a ceiling has none. */
export function ceilingRecord({ fsRead, fsWrite, network, timeout, limits }: Capabilities): object {
	return { fsRead, fsWrite, network, timeout, limits };
}

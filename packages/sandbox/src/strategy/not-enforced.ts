import type { StrategyName } from "./strategy.js";

/** Something that is not kept from a script, or not the way one may expect. */
export interface NotEnforced {
	readonly what: string;
	readonly why: string;
}

const ONE_SWITCH: NotEnforced = {
	what: "single hosts",
	why: "the network is on or off; with it on, a script reaches the services of this computer too",
};

/** What a strategy lets through while it works. Null keeps nothing to the grant, which needs no list. */
export const NOT_ENFORCED: Readonly<Record<StrategyName, readonly NotEnforced[]>> = {
	seatbelt: [
		ONE_SWITCH,
		{ what: "whether a file exists", why: "macOS tells that of any path, and denying it has not been tried on a Mac" },
		{
			what: "the end of every process",
			why: "one that left its script's group and lost its parent before the process table was read is not found; it stays confined",
		},
	],
	bubblewrap: [
		ONE_SWITCH,
		{
			what: "protected files that do not exist yet",
			why: "nothing can be mounted over them; those at the top of what may be written are protected once they are there",
		},
		{ what: "facts about this computer", why: "/proc and /usr tell them to everybody" },
	],
	none: [],
};

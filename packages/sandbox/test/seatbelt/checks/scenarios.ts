import { PROJECT, profileOf, TMP } from "../pretend-mac.js";
import { type Check, CLOSED, canChange, cannot, cannotChange, directory, ISLAND, PINNED, PROTECTED } from "./check.js";
import { CLOSED_AROUND, GRANTED, PERSISTENCE, RENAMES, SCENARIO_GRANT } from "./inside.js";
import { NEEDED, ONLINE } from "./needed.js";
import {
	DATA_VOLUME,
	ENVIRONMENTS,
	MOUNTS,
	OTHER_PROCESSES,
	PROFILES,
	READ_OUTSIDE,
	SECOND_NAMES,
	SERVICES,
	SETUID,
	TERMINALS,
	UNIX_SOCKETS,
	WRITE_OUTSIDE,
} from "./outside.js";

/** A grant, its profile, and all that has to hold of it. */
export interface Scenario {
	readonly name: string;
	readonly profile: string;
	readonly checks: readonly Check[];
}

const ALWAYS: readonly Check[] = [
	...NEEDED,
	...GRANTED,
	...CLOSED_AROUND,
	...PERSISTENCE,
	...RENAMES,
	...READ_OUTSIDE,
	...WRITE_OUTSIDE,
	...SECOND_NAMES,
	...ENVIRONMENTS,
	...OTHER_PROCESSES,
	...SERVICES,
	...MOUNTS,
	...SETUID,
	...TERMINALS,
	...DATA_VOLUME,
	...PROFILES,
	...UNIX_SOCKETS,
];

export const OFFLINE: readonly Check[] = ONLINE.map((online) => ({ ...online, what: `not: ${online.what}`, allowed: false, by: CLOSED }));

export const SCENARIOS: readonly [offline: Scenario, online: Scenario] = [
	{ name: "offline", profile: profileOf(SCENARIO_GRANT), checks: [...ALWAYS, ...OFFLINE] },
	{ name: "online", profile: profileOf({ ...SCENARIO_GRANT, network: true }), checks: [...ALWAYS, ...ONLINE] },
];

/** The skill and the temporary directory lie inside what may be written. */
export const SURROUNDED: Scenario = {
	name: "surrounded",
	profile: profileOf({ write: [PROJECT, TMP], skillDir: `${PROJECT}/skills/report` }),
	checks: [
		...cannotChange(`${PROJECT}/skills/report/scripts/run.sh`, ISLAND),
		...canChange(`${PROJECT}/skills/x`),
		...canChange(`${TMP}/x`),
		...["", "/skills"].map((name) =>
			cannot(`${PROJECT}${name} cannot be moved away with the skill in it`, "file-write-unlink", directory(`${PROJECT}${name}`), PINNED),
		),
		...cannotChange(`${PROJECT}/.zshrc`, PROTECTED),
		...cannotChange(`${TMP}/.zshrc`, PROTECTED),
		...PROFILES,
	],
};

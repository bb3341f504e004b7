import { Capabilities } from "@robot-lab/core";
import type { HostFacts } from "../../src/seatbelt/host-facts.js";
import { seatbeltProfile } from "../../src/seatbelt/profile.js";

/** A Mac nobody has: what a profile is made for where no Mac is at hand. */
export const HOME = "/Users/u";
export const PROJECT = `${HOME}/project`;
export const SKILL = `${HOME}/.prompts/skills/report`;
export const TMP = "/private/var/folders/ab/cd/T";
export const SCRATCH = `${TMP}/robot-lab-run-1`;

export const facts = (overrides: Partial<HostFacts> = {}): HostFacts => ({
	home: HOME,
	workingDirectory: PROJECT,
	temporaryDirectory: TMP,
	realPaths: new Map(),
	links: [],
	toolRoots: [],
	...overrides,
});

export interface Scene {
	readonly read?: readonly string[];
	readonly write?: readonly string[];
	readonly network?: boolean;
	readonly skillDir?: string;
	/** Default {@link SCRATCH}; null for none. */
	readonly scratchDir?: string | null;
	/** Default: true. */
	readonly protect?: boolean;
	readonly facts?: Partial<HostFacts>;
}

export const profileOf = ({
	read = [],
	write = [],
	network = false,
	skillDir = SKILL,
	scratchDir = SCRATCH,
	protect = true,
	facts: known,
}: Scene = {}): string =>
	seatbeltProfile({
		grant: new Capabilities({ fsRead: read, fsWrite: write, network }),
		skillDir,
		scratchDir: scratchDir ?? undefined,
		protect,
		facts: facts(known),
	});

import type { Capabilities, Config } from "@robot-lab/core";
import type { BubblewrapHost } from "../bubblewrap/bubblewrap-host.js";
import type { HostFacts } from "../seatbelt/host-facts.js";
import type { StrategyName } from "../strategy/strategy.js";
import type { Answer } from "./answer.js";

/** What a run that is only talked about would be of. */
export interface PreviewOptions {
	/** What the bundle declares. */
	readonly capabilities: Capabilities;
	/** The bundle's directory. */
	readonly skillDir: string;
	/** What would be run: its interpreter becomes readable. Default: nothing beyond the system's own programs. */
	readonly command?: readonly string[];
	/** Where it would run. Default: where the executor would run it. */
	readonly cwd?: string;
	/** Default: this one. Answers for another one are given with the paths of this computer. */
	readonly platform?: NodeJS.Platform;
	/** Default: the current one. */
	readonly config?: Config;
	/** Default: looked up on this computer. */
	readonly hostFacts?: HostFacts;
	/** Default: looked up on this computer. */
	readonly bubblewrapHost?: BubblewrapHost;
}

export interface ExplainOptions extends PreviewOptions {
	/** E.g. `"read ~/.ssh/id_ed25519"`, `"connect example.com:443"`. Default: none. */
	readonly questions?: readonly string[];
}

/** What a script of a bundle would get, and why. Can be written as JSON as it is. */
export interface Explanation {
	readonly platform: NodeJS.Platform;
	/** What would confine the script. */
	readonly strategy: StrategyName;
	/** Why it is that one, as a clause. */
	readonly because: string;
	/** Why the script would not be run on this computer as it is, as a sentence. */
	readonly obstacle?: string;
	readonly declared: Capabilities;
	readonly ceiling: Capabilities;
	/** What both allow, on real paths, with what was refused. */
	readonly grant: Capabilities;
	/** What holds less than was asked for, in sentences. */
	readonly notes: readonly string[];
	/** In the order of the questions. */
	readonly answers: readonly Answer[];
}

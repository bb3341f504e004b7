/** What decides how a script is confined. */
export interface ConfinementFacts {
	/** Whether confinement is on. */
	readonly enabled: boolean;
	/** What `Sandbox.status()` says would confine, or what a script's result says did. */
	readonly confinement: string;
	readonly platform: string;
	/** Whether the skill claims to be audited (`trust: core`). */
	readonly isCore?: boolean;
}

/** How scripts are confined, in one honest line: by what, or why by nothing and what that means. */
export function confinementText({ enabled, confinement, platform, isCore = false }: ConfinementFacts): string {
	if (confinement !== "none") return confinement;
	if (!enabled) return "none: --no-sandbox was given, so scripts have all the rights of this user, without a time limit";
	if (isCore) return "none: the skill is trusted (trust: core); only its timeout and limits hold";
	const way = platform === "linux" ? " (--backend bubblewrap confines, where it is installed)" : "";
	return `none: nothing confines on ${platform} by itself${way}, so scripts have all the rights of this user; only their timeout and limits hold`;
}

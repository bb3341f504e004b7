import { Capabilities } from "../capability/capabilities.js";
import { isAtOrBelow } from "../paths/segments.js";
import { installedExecutor } from "../script/executor-slot.js";

/** How far a script could go when somebody let it run. Time and limits are not in it: they bound what it costs, not what it reaches. */
export interface PinnedGrant {
	/** Whether it was held to the rest of this. */
	readonly confined: boolean;
	/** Absolute and real. */
	readonly fsRead: readonly string[];
	readonly fsWrite: readonly string[];
	readonly network: boolean;
}

/** What a script of these capabilities would be granted now. */
export function grantNow(declared: Capabilities): { readonly grant: Capabilities; readonly pinned: PinnedGrant } {
	const grant = declared.intersect(Capabilities.ceiling());
	const { fsRead, fsWrite, network } = grant;
	const confined = installedExecutor()?.confines?.(declared) === true;
	return { grant, pinned: { confined, fsRead, fsWrite, network } };
}

/** Whether what was approved reaches at least as far. What is unconfined reaches everything. */
export function covers(approved: PinnedGrant, now: PinnedGrant): boolean {
	if (!approved.confined) return true;
	return (
		now.confined && (approved.network || !now.network) && areBelow(now.fsRead, approved.fsRead) && areBelow(now.fsWrite, approved.fsWrite)
	);
}

const areBelow = (paths: readonly string[], roots: readonly string[]): boolean =>
	paths.every((path) => roots.some((root) => isAtOrBelow(path, root)));

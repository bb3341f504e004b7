import type { Capabilities } from "../capability/capabilities.js";
import type { BundleChanges } from "./bundle-changes.js";

/** Why somebody is asked: nothing of the bundle was approved before; its files are others than those approved; they are the same and would get more. */
export type ApprovalReason = "first_run" | "files_changed" | "wider_grant";

/**
 * A script that is about to run, and whose bundle nobody approved as it is. Names, paths and arguments are strangers' texts, as they are: make
 * them printable before they are shown.
 */
export interface ApprovalRequest {
	/** The skill's name. */
	readonly skill: string;
	/** The bundle's directory, real. */
	readonly path: string;
	/** What is approved: the bundle with this digest and no other. */
	readonly digest: string;
	/** Every file and link of the bundle, as `bundleDigest()` gives them. */
	readonly files: Readonly<Record<string, string>>;
	/** What the bundle asks for. */
	readonly declared: Capabilities;
	/** What its scripts are granted: of that, or of what the host granted in its place (`skills.grants`). Means nothing where `confined` is false. */
	readonly grant: Capabilities;
	/** Whether scripts are held to the grant. If not, they may do whatever this process may. */
	readonly confined: boolean;
	/** The script's tool, as it is called: by a model `ops__check_deploy`, on the command line `check_deploy`. */
	readonly tool: string;
	/** What the script is called with, e.g. `{ args: ["--all"] }`. A frozen copy. It is not part of what is approved. */
	readonly input: unknown;
	readonly reason: ApprovalReason;
	/** On `files_changed`: since it was last approved. Empty otherwise. */
	readonly changes: BundleChanges;
}

/**
 * `once`: until this process ends or anything changes. `always`: in later processes, too. `deny`, or why not, for the model to read: nothing is run, and the
 * next call asks again.
 */
export type ApprovalAnswer = "once" | "always" | "deny" | { readonly deny: string };

/** Decides whether scripts of a bundle may run. The signal is aborted when the answer is not waited for any more. */
export type Approve = (request: ApprovalRequest, context: { readonly signal: AbortSignal }) => Promise<ApprovalAnswer>;

import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Variables } from "../config/environment-name.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { isList, isRecord } from "../text/describe-value.js";
import type { BundleDigest } from "./bundle-digest.js";
import { readDigest, versionOne } from "./kept-json.js";
import { covers, type PinnedGrant } from "./pinned-grant.js";
import { type KeptFile, readKept, unusable, writeKept } from "./private-file.js";

/** What somebody let run: one bundle, as it was, as far as it could go then. */
export interface Approval extends BundleDigest {
	readonly name: string;
	/** Real. */
	readonly path: string;
	/** Not one that is the sum of them: nobody was asked for that. */
	readonly grants: readonly PinnedGrant[];
}

/** Enough for every project somebody works in; beyond it the oldest is asked for again. */
const MAX_GRANTS = 64;

const MAX_BYTES = 4 * 1024 * 1024;

/** Where approvals are kept: `$XDG_STATE_HOME/robot_lab/approvals`, else `~/.local/state/robot_lab/approvals`. Throws a ConfigurationError without a home directory. */
export function usualStore(variables: Variables = process.env, home: string = homedir()): string {
	const { XDG_STATE_HOME: state = "" } = variables;
	if (isAbsolute(state)) return join(state, "robot_lab", "approvals");
	if (isAbsolute(home)) return join(home, ".local", "state", "robot_lab", "approvals");
	throw new ConfigurationError(
		`Approvals cannot be kept: the home directory is ${JSON.stringify(home)}. Set HOME or XDG_STATE_HOME to an absolute path, or give a directory as store.`,
	);
}

/**
 * What was approved for good of the bundle at a real path. One file for each, so that processes that approve different bundles at the same time do
 * not disturb each other; of two that approve one, the later one's counts, and what the other was told is asked again.
 */
export async function readApproval(store: string, path: string): Promise<Approval | undefined> {
	const kept = fileOf(store, path);
	const text = await readKept(kept);
	if (text === undefined) return undefined;
	const approval = approvalIn(versionOne(text));
	if (approval?.path === path) return approval;
	throw unusable(kept, approval === undefined ? "holds no approval of a version known here" : "holds the approval of another bundle");
}

/** Keeps it in the place of what was approved of that bundle before. Rejects with the file system's error. */
export async function writeApproval(store: string, approval: Approval): Promise<void> {
	await writeKept(fileOf(store, approval.path), `${JSON.stringify({ version: 1, ...approval }, null, "\t")}\n`);
}

/** The approval of these files with one grant more. */
export function approvalWith(earlier: Approval | undefined, approved: Omit<Approval, "grants">, grant: PinnedGrant): Approval {
	const others =
		earlier?.digest === approved.digest && earlier.name === approved.name ? earlier.grants.filter((other) => !covers(grant, other)) : [];
	const { name, path, digest, files } = approved;
	return { name, path, digest, files, grants: [...others, grant].slice(-MAX_GRANTS) };
}

const fileOf = (store: string, path: string): KeptFile => ({
	what: "approval",
	path: join(store, `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`),
	maxBytes: MAX_BYTES,
	isPrivate: true,
});

function approvalIn(record: Readonly<Record<string, unknown>> | undefined): Approval | undefined {
	const { name, path, grants } = record ?? {};
	const digest = readDigest(record);
	if (digest === undefined || typeof name !== "string" || typeof path !== "string" || !isList(grants) || !grants.every(isGrant))
		return undefined;
	return { name, path, grants, ...digest };
}

function isGrant(value: unknown): value is PinnedGrant {
	if (!isRecord(value)) return false;
	const { confined, fsRead, fsWrite, network } = value;
	return typeof confined === "boolean" && typeof network === "boolean" && arePaths(fsRead) && arePaths(fsWrite);
}

const arePaths = (value: unknown): boolean => isList(value) && value.every((path) => typeof path === "string" && isAbsolute(path));

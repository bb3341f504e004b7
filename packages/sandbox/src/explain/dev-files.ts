import { isAtOrBelow } from "@robot-lab/core/paths";
import { STANDARD_DEVICES } from "../bubblewrap/mount-plan.js";
import { allowed, denied, type Verdict } from "./answer.js";
import type { Box } from "./box.js";
import type { BoxEntry, BoxNode } from "./box-entry.js";
import type { FileUse } from "./question.js";

const OWN_DEV = "a /dev of the sandbox's own, with the standard devices only";
/** What bwrap makes beside the devices. */
const LINKS: Readonly<Record<string, string>> = {
	"/dev/core": "/proc/kcore",
	"/dev/fd": "/proc/self/fd",
	"/dev/ptmx": "pts/ptmx",
	"/dev/stderr": "/proc/self/fd/2",
	"/dev/stdin": "/proc/self/fd/0",
	"/dev/stdout": "/proc/self/fd/1",
};
const TERMINALS = "/dev/pts";
const DIRECTORIES = ["/dev", TERMINALS, "/dev/shm"];
const DEVICES = [...STANDARD_DEVICES, "/dev/pts/ptmx"];

/** What lies at a path of /dev. */
export function devEntry(path: string, { directories }: Box): BoxEntry {
	const target = LINKS[path];
	if (target !== undefined) return { kind: "link", target };
	if (DIRECTORIES.includes(path) || directories.has(path)) return { kind: "directory" };
	return { kind: DEVICES.includes(path) ? "other" : "missing" };
}

/** What a /dev of one's own says. */
export function devVerdict(use: FileUse, path: string, { kind, mount }: BoxNode): Verdict {
	if (path === "/dev/tty" && use !== "delete") return denied("a session of the script's own, without a terminal");
	// Each device is a mount of its own, and so are the terminals.
	if (kind === "other") return use === "read" || use === "write" ? allowed(OWN_DEV) : denied(OWN_DEV);
	if (use === "read" || use === "list") return kind === "directory" ? allowed(OWN_DEV) : denied(OWN_DEV, { why: "it is not in it" });
	if (use === "run" || isAtOrBelow(path, TERMINALS)) return denied(OWN_DEV);
	if (!mount.isWritable) return denied(`${OWN_DEV}, and read-only`);
	if (use === "delete") return kind === "missing" ? denied(OWN_DEV, { why: "it is not in it" }) : allowed(OWN_DEV);
	return allowed(OWN_DEV, { why: "what is made there goes with the run" });
}

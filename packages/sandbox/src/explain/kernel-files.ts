import { existsSync, lstatSync } from "node:fs";
import { isAtOrBelow } from "@robot-lab/core/paths";
import { STANDARD_DEVICES } from "../bubblewrap/mount-plan.js";
import { allowed, denied, type Verdict } from "./answer.js";
import type { Box } from "./box.js";
import { MAY, permits } from "./permissions.js";
import type { FileUse } from "./question.js";

const OWN_PROC = "a /proc of the sandbox's own, read-only, in which only the script's processes are";
const OWN_DEV = "a /dev of the sandbox's own, with the standard devices only";
/** What the process has open already, whatever that is. */
const DESCRIPTORS = /^\/(proc\/(self|thread-self)\/fd\/|dev\/(fd\/|stdin$|stdout$|stderr$))/;
/** Where their list is. */
const DESCRIPTOR_LISTS = ["/proc/self/fd", "/proc/thread-self/fd", "/dev/fd"];
/** Reading these takes a capability (measured on Linux 6). */
const PRIVILEGED = ["/proc/kcore", "/proc/kmsg"];
/** bwrap makes these beside the devices. */
const MADE_IN_DEV = ["/dev/core", "/dev/fd", "/dev/ptmx", "/dev/stderr", "/dev/stdin", "/dev/stdout"];
const DIRECTORIES_IN_DEV = ["/dev", "/dev/pts", "/dev/shm"];

/** What a /proc of one's own says, which shows the machine as it is and other processes not at all. */
export function procVerdict(use: FileUse, path: string): Verdict {
	const descriptors = descriptorVerdict(use, path);
	if (descriptors !== undefined) return descriptors;
	if (use === "write" || use === "delete") return denied(OWN_PROC);
	const [, pid] = /^\/proc\/(\d+)(\/|$)/.exec(path) ?? [];
	if (pid !== undefined && pid !== "1") {
		return denied("a PID namespace of the sandbox's own", { why: `process ${pid} of the host is not in it` });
	}
	if (PRIVILEGED.includes(path)) return denied("no capabilities: reading it takes one");
	if (!existsSync(path)) return denied(OWN_PROC, { why: "there is no such file in it" });
	const stats = lstatSync(path);
	if (use === "run" || (use === "list" && !stats.isDirectory() && !stats.isSymbolicLink())) return denied(OWN_PROC);
	const bits = stats.isDirectory() ? MAY.read | MAY.search : MAY.read;
	return pid === undefined && !permits(stats, bits) && !stats.isSymbolicLink() ? denied("the file's own permissions") : allowed(OWN_PROC);
}

function descriptorVerdict(use: FileUse, path: string): Verdict | undefined {
	const isOne = (use === "read" || use === "write") && DESCRIPTORS.test(path);
	const isList = (use === "read" || use === "list") && DESCRIPTOR_LISTS.includes(path);
	return isOne || isList ? allowed("what the script has open already") : undefined;
}

/** What a /dev of one's own says. */
export function devVerdict(use: FileUse, path: string, box: Box): Verdict {
	const descriptors = descriptorVerdict(use, path);
	if (descriptors !== undefined) return descriptors;
	if (path === "/dev/tty" && use !== "delete") return denied("a session of the script's own, without a terminal");
	const isDirectory = DIRECTORIES_IN_DEV.includes(path) || box.directories.has(path);
	if (STANDARD_DEVICES.includes(path)) return use === "read" || use === "write" ? allowed(OWN_DEV) : denied(OWN_DEV);
	if (use === "read" || use === "list") {
		return isDirectory || (use === "read" && path === "/dev/ptmx") ? allowed(OWN_DEV) : denied(OWN_DEV, { why: "it is not in it" });
	}
	if (use === "delete") return MADE_IN_DEV.includes(path) ? allowed(OWN_DEV) : denied(OWN_DEV);
	if (use === "run" || isAtOrBelow(path, "/dev/pts")) return denied(OWN_DEV);
	return allowed(OWN_DEV, { why: "what is made there goes with the run" });
}

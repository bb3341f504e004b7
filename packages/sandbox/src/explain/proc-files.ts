import { allowed, denied, type Verdict } from "./answer.js";
import { type BoxEntry, hostEntry } from "./box-entry.js";
import { byPermissions, MAY, permits } from "./permissions.js";
import type { FileUse } from "./question.js";

const OWN_PROC = "a /proc of the sandbox's own, read-only, in which only the script's processes are";
/** What there is when a script starts: what starts it has number 1, the script 2 (measured). */
const FIRST_PROCESSES: Readonly<Record<string, string>> = { "1": "the one that starts the script", "2": "the script's own" };
/** TID stands for a number that nobody knows before. */
const LINKS: ReadonlyMap<string, string> = new Map([
	["/proc/mounts", "self/mounts"],
	["/proc/net", "self/net"],
	["/proc/thread-self", "self/task/TID"],
]);
/** What the process has open already, whatever that is: a script is given these three. */
const DESCRIPTOR = /^fd\/[012]$/;

/** What a read from the beginning comes to, where the permissions do not tell (measured on Linux 6). */
const UNREADABLE: readonly (readonly [path: RegExp, rule: string])[] = [
	[/^\/proc\/(kcore|kmsg|self\/stack|self\/task\/TID\/stack|\d+\/stack|1\/timerslack_ns)$/, "no capabilities: reading it takes one"],
	[/^\/proc\/(self|self\/task\/TID|\d+)\/mem$/, "a process has no memory at address 0, where a read begins"],
	[/^\/proc\/(self|self\/task\/TID|\d+)\/ns\//, "a namespace is nothing to read"],
];

/** What a path of /proc is about, unless it is the machine. */
interface ProcessFile {
	readonly pid: string;
	/** Below the directory of the process or of its thread. */
	readonly name: string;
	readonly isOfThread: boolean;
	/** Whether there is such a process, and such a thread of it, when a script starts. */
	readonly isThere: boolean;
}

function processFile(path: string): ProcessFile | undefined {
	const [, pid, thread, name = ""] = /^\/proc\/(self|\d+)(?:\/task\/([^/]+))?(?:\/(.*))?$/s.exec(path) ?? [];
	if (pid === undefined) return undefined;
	const isOwn = thread === undefined || thread === (pid === "self" ? "TID" : pid);
	return { pid, name, isOfThread: thread !== undefined, isThere: isOwn && (pid === "self" || pid in FIRST_PROCESSES) };
}

/**
 * What lies at a path of /proc. The host's own is looked at only for what is the same there: never through its links, which lead where
 * the host process has its own files.
 */
export function procEntry(path: string, cwd: string): BoxEntry {
	const target = LINKS.get(path);
	if (target !== undefined) return { kind: "link", target };
	const file = processFile(path);
	if (file === undefined) return hostEntry(path);
	return file.isThere ? entryOfProcess(file, cwd) : { kind: "missing" };
}

function entryOfProcess({ name, isOfThread }: ProcessFile, cwd: string): BoxEntry {
	if (name === "cwd") return { kind: "link", target: cwd };
	if (name === "root") return { kind: "link", target: "/" };
	if (name === "exe" || DESCRIPTOR.test(name) || /^fdinfo\/[012]$/.test(name)) return { kind: "other" };
	if (/^(fd|fdinfo|map_files|task)\//.test(name)) return { kind: "missing" };
	const { kind, stats } = hostEntry(`/proc/${isOfThread ? "thread-self" : "self"}/${name}`);
	return { kind: kind === "link" ? "other" : kind, ...(stats !== undefined && { stats }) };
}

/** What a /proc of one's own says, which shows the machine as it is and other processes not at all. */
export function procVerdict(use: FileUse, path: string, { kind, stats }: BoxEntry): Verdict {
	const file = processFile(path);
	if (kind !== "missing" && (use === "read" || use === "write") && DESCRIPTOR.test(file?.name ?? "")) return allowed(OPEN_ALREADY);
	if (use === "write" || use === "delete") return denied(OWN_PROC);
	if (kind === "missing") return file === undefined ? denied(OWN_PROC, { why: "there is no such file in it" }) : absent(file);
	if (use === "list" && kind !== "directory") return denied(`${path} is no directory`);
	if (use === "run") return file?.name === "exe" ? allowed("the program that runs already") : denied(`${path} is no program`);
	const unreadable = UNREADABLE.find(([pattern]) => pattern.test(path));
	if (unreadable !== undefined) return denied(unreadable[1]);
	if (stats !== undefined && !permits(stats, MAY.read)) return denied(byPermissions(path, stats));
	const owner = FIRST_PROCESSES[file?.pid ?? ""];
	return allowed(OWN_PROC, owner === undefined ? {} : { why: `process ${file?.pid} of inside is ${owner}, not the host's` });
}

const OPEN_ALREADY = "what the script has open already";

function absent({ pid }: ProcessFile): Verdict {
	if (pid === "self" || pid in FIRST_PROCESSES) return denied(OWN_PROC, { why: "there is no such file in it" });
	return denied("a PID namespace of the sandbox's own", {
		why: `process ${pid} of the host is not in it, and only what the script starts gets such a number`,
	});
}

import { dirname } from "node:path";
import { ancestorsOf } from "../grant/access-plan.js";
import { allowed, because, denied, type Verdict } from "./answer.js";
import type { Box } from "./box.js";
import { type Origin, originIn } from "./box-origin.js";
import { devVerdict, procVerdict } from "./kernel-files.js";
import { type BoxPlace, lookUpInBox, statsIn } from "./look-up-in-box.js";
import { isKept, MAY, permits, shownMode } from "./permissions.js";
import type { FileUse } from "./question.js";
import { type Surroundings, spelledOut } from "./surroundings.js";

/** What the mounts say to the use of a file or directory. */
export function fileVerdict(use: FileUse, path: string, box: Box, surroundings: Surroundings): Verdict {
	const place = lookUpInBox(box, spelledOut(path, surroundings), use !== "delete");
	const verdict = verdictAt(use, place, box, originIn(place.mount, box, surroundings));
	const link = place.links.at(-1);
	const crossed = link === undefined || verdict.allowed ? undefined : `${link.path} is a symbolic link to ${link.target}`;
	return { ...verdict, path: place.path, ...because(crossed, verdict.why) };
}

function verdictAt(use: FileUse, place: BoxPlace, box: Box, origin: Origin): Verdict {
	if (place.barrier !== undefined) return denied(place.barrier);
	if (use === "delete" && box.mounts.has(place.path))
		return denied("it is a mount of its own, which cannot be removed", because(origin.why));
	switch (place.mount.kind) {
		case "bind":
			return bindVerdict(use, place, box, origin);
		case "empty":
			return emptyVerdict(use, place, box, origin);
		case "proc":
			return procVerdict(use, place.path);
		case "dev":
			return devVerdict(use, place.path, box);
	}
}

function bindVerdict(use: FileUse, place: BoxPlace, box: Box, { rule, why }: Origin): Verdict {
	const { mount, stats, path } = place;
	const more = because(why);
	if ((use === "write" || use === "delete") && !mount.isWritable) return denied(rule, more);
	if (use === "delete") return deletion(place, box) ?? allowed(rule, more);
	if (stats === undefined) return creation(use, place, box) ?? allowed(rule, because(why, "it does not exist yet"));
	if (stats.isBlockDevice() || stats.isCharacterDevice()) return denied(`no device can be used in the mount of ${mount.path}`);
	if (use === "list" && !stats.isDirectory()) return denied(`${path} is no directory`);
	if (use === "run" && !stats.isFile()) return denied(`${path} is no program`);
	return permits(stats, bitsFor(use, stats.isDirectory())) ? allowed(rule, more) : denied(byPermissions(path, stats));
}

function bitsFor(use: FileUse, isDirectory: boolean): number {
	if (use === "run") return MAY.search;
	if (use === "read") return MAY.read;
	return (use === "write" ? MAY.write : MAY.read) | (isDirectory ? MAY.search : 0);
}

const byPermissions = (path: string, stats: Parameters<typeof shownMode>[0]): string =>
	`the permissions of ${path} (${shownMode(stats)}), and inside there are no capabilities`;

/** What keeps a script from making what is not there, in a place that is writable as a mount. */
function creation(use: FileUse, { path }: BoxPlace, box: Box): Verdict | undefined {
	if (use !== "write") return undefined;
	const above = [...ancestorsOf(path)].reverse().find((directory) => statsIn(box, directory) !== undefined);
	return above === undefined ? undefined : denialIn(above, box);
}

function deletion({ path, stats }: BoxPlace, box: Box): Verdict | undefined {
	const directory = dirname(path);
	const holder = statsIn(box, directory);
	if (holder !== undefined && stats !== undefined && isKept(stats, holder)) return denied(`${directory} keeps each file for its owner`);
	return denialIn(directory, box);
}

function denialIn(directory: string, box: Box): Verdict | undefined {
	const stats = statsIn(box, directory);
	return stats === undefined || permits(stats, MAY.write | MAY.search) ? undefined : denied(byPermissions(directory, stats));
}

/** In memory there is only what the sandbox has made, and what the script makes during the run. */
function emptyVerdict(use: FileUse, { path, mount }: BoxPlace, box: Box, { rule }: Origin): Verdict {
	const isDirectory = box.mounts.has(path) || box.directories.has(path);
	const isThere = isDirectory || box.files.has(path) || (use === "delete" && box.links.has(path));
	if (use === "write" && mount.isWritable && !box.files.has(path)) return allowed(rule, { why: "what is made there goes with the run" });
	if (!isThere)
		return denied("nothing is mounted there", because(mount.path === "/" ? undefined : `${rule} is in the place of the host's`));
	if (use === "write") return denied(rule);
	if (use === "delete") return mount.isWritable ? allowed(rule, { why: "it is the sandbox's own, not the host's" }) : denied(rule);
	if (use === "run") return denied(`${path} is no program`);
	if (box.files.has(path))
		return use === "list" ? denied(`${path} is no directory`) : allowed("a file of the sandbox's own, which names only the script's user");
	return allowed(rule, { why: "it holds only what is mounted in it or made by the script" });
}

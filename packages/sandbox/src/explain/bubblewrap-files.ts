import { dirname } from "node:path";
import { allowed, because, denied, type Verdict } from "./answer.js";
import type { Box } from "./box.js";
import { type Origin, originIn } from "./box-origin.js";
import { type BoxTree, boxTree } from "./box-tree.js";
import { devVerdict } from "./dev-files.js";
import { type BoxPlace, lookUpInBox } from "./look-up-in-box.js";
import { LONGEST_PATH, whyTooLong } from "./path-length.js";
import { byPermissions, isKept, MAY, permits } from "./permissions.js";
import { procVerdict } from "./proc-files.js";
import type { FileUse } from "./question.js";
import { type Surroundings, spelledOut } from "./surroundings.js";

/** A file or directory, and what is to be done with it. */
interface Asked {
	readonly use: FileUse;
	readonly place: BoxPlace;
	readonly box: Box;
	readonly tree: BoxTree;
	readonly origin: Origin;
	/** Whether nobody can mean what is made later: a path that goes up means what it leads to now. */
	readonly isNow: boolean;
}

/** What the mounts say to the use of a file or directory. */
export function fileVerdict(use: FileUse, path: string, box: Box, surroundings: Surroundings): Verdict {
	return placeVerdict(use, path, box, surroundings).verdict;
}

/** The verdict, and where the path leads if it leads anywhere. */
export function placeVerdict(
	use: FileUse,
	path: string,
	box: Box,
	surroundings: Surroundings,
): { readonly verdict: Verdict; readonly place?: BoxPlace } {
	const spelt = spelledOut(path, surroundings);
	const tooLong = whyTooLong(path.startsWith("~") ? spelt : path, LONGEST_PATH.linux);
	if (tooLong !== undefined) return { verdict: denied(tooLong) };
	const isDelete = use === "delete";
	const tree = boxTree(box, surroundings.cwd);
	const place = lookUpInBox(tree, isDelete ? withoutSlashes(spelt) : spelt, !isDelete);
	const asked: Asked = { use, place, box, tree, origin: originIn(place.mount, box, surroundings), isNow: hasName(spelt, "..") };
	const verdict = (isDelete ? spellingVerdict(spelt, place) : undefined) ?? verdictAt(asked);
	const link = place.links.at(-1);
	const crossed = link === undefined || verdict.allowed ? undefined : `${link.path} is a symbolic link to ${link.target}`;
	return { verdict: { ...verdict, path: place.path, ...because(crossed, verdict.why) }, place };
}

const hasName = (path: string, name: string): boolean => path.split("/").includes(name);

function withoutSlashes(path: string): string {
	let end = path.length;
	while (end > 1 && path[end - 1] === "/") end -= 1;
	return path.slice(0, end);
}

/** What the end of a path says about removing and renaming what it names. */
function spellingVerdict(spelt: string, { kind, path }: BoxPlace): Verdict | undefined {
	const bare = withoutSlashes(spelt);
	if (/\/\.\.?$/.test(bare)) return denied("the kernel neither removes nor renames what is named by . or ..");
	return bare !== spelt && kind !== "directory" && kind !== "missing" ? denied(`${path} is no directory`) : undefined;
}

function verdictAt(asked: Asked): Verdict {
	const { use, place, box, origin } = asked;
	if (place.barrier !== undefined) return denied(place.barrier);
	if (use === "delete" && box.mounts.has(place.path))
		return denied("it is a mount of its own, which cannot be removed", because(origin.why));
	switch (place.mount.kind) {
		case "bind":
			return bindVerdict(asked);
		case "empty":
			return emptyVerdict(asked);
		case "proc":
			return procVerdict(use, place.path, place);
		case "dev":
			return devVerdict(use, place.path, place);
	}
}

function bindVerdict(asked: Asked): Verdict {
	const { use, place, isNow, origin } = asked;
	const { mount, stats, path } = place;
	const { rule } = origin;
	const more = because(origin.why);
	if ((use === "write" || use === "delete") && !mount.isWritable) return denied(rule, more);
	if (stats === undefined && (use === "delete" || (isNow && use !== "write"))) return denied(`${path} does not exist`);
	if (use === "delete") return deletion(asked) ?? allowed(rule, more);
	if (stats === undefined) return creation(asked) ?? allowed(rule, because(origin.why, NOT_YET));
	if (stats.isBlockDevice() || stats.isCharacterDevice()) return denied(`no device can be used in the mount of ${mount.path}`);
	if (stats.isSocket() && use !== "run") return denied(`${path} is a socket, which is nothing to open`);
	if (use === "list" && !stats.isDirectory()) return denied(`${path} is no directory`);
	if (use === "run" && !stats.isFile()) return denied(`${path} is no program`);
	return permits(stats, bitsFor(use, stats.isDirectory())) ? allowed(rule, more) : denied(byPermissions(path, stats));
}

const NOT_YET = "it does not exist yet";

function bitsFor(use: FileUse, isDirectory: boolean): number {
	if (use === "run") return MAY.search;
	if (use !== "write") return MAY.read;
	return MAY.write | (isDirectory ? MAY.search : 0);
}

/** What keeps a script from making what is not there, in a place that is writable as a mount. */
function creation({ use, place, tree }: Asked): Verdict | undefined {
	if (use !== "write") return undefined;
	let above = dirname(place.path);
	while (tree(above).kind === "missing") above = dirname(above);
	return denialIn(above, tree);
}

function deletion({ place: { path, stats }, tree }: Asked): Verdict | undefined {
	const directory = dirname(path);
	const holder = tree(directory).stats;
	if (holder !== undefined && stats !== undefined && isKept(stats, holder)) return denied(`${directory} keeps each file for its owner`);
	return denialIn(directory, tree);
}

function denialIn(directory: string, tree: BoxTree): Verdict | undefined {
	const { stats } = tree(directory);
	return stats === undefined || permits(stats, MAY.write | MAY.search) ? undefined : denied(byPermissions(directory, stats));
}

/** In memory there is only what the sandbox has made, and what the script makes during the run. */
function emptyVerdict({ use, place, origin: { rule } }: Asked): Verdict {
	const { path, mount, kind } = place;
	if (use === "write" && mount.isWritable && kind !== "other") return allowed(rule, { why: "what is made there goes with the run" });
	if (kind === "missing")
		return denied("nothing is mounted there", because(mount.path === "/" ? undefined : `${rule} is in the place of the host's`));
	if (use === "write") return denied(rule);
	if (use === "delete") return mount.isWritable ? allowed(rule, { why: "it is the sandbox's own, not the host's" }) : denied(rule);
	if (use === "run") return denied(`${path} is no program`);
	if (kind === "other")
		return use === "list" ? denied(`${path} is no directory`) : allowed("a file of the sandbox's own, which names only the script's user");
	return allowed(rule, { why: "it holds only what is mounted in it or made by the script" });
}

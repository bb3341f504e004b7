import { HOME, SCRATCH } from "./pretend-mac.js";

/** What was asked for, and whether names are protected and the network is on. */
export interface Asked {
	readonly read: readonly string[];
	readonly write: readonly string[];
	readonly skillDir: string;
	readonly scratch: boolean;
	readonly protect: boolean;
	readonly network: boolean;
}

/** Names of all kinds, and directories on the way to them: of one level, of two, of a home directory. */
export const NAMES = [".zshrc", ".vscode", ".git/hooks", ".git/config", ".claude/commands", ".husky", "config/robot_lab.yml"];
const AT_HOME = ["Library/LaunchAgents", ".config/fish"];

const within = (target: string, root: string): boolean => `${target}/`.startsWith(`${root}/`);
const isForeign = (text: string): boolean => [...text].some((character) => character > "~");
/** Longest first: what holds is what was said last on the way down. */
const deepest = <T extends { readonly root: string }>(rules: readonly T[], target: string): T | undefined =>
	rules.filter(({ root }) => within(target, root)).sort((a, b) => b.root.length - a.root.length)[0];

export function accessAt({ read, write, skillDir, scratch }: Asked, target: string): "read" | "write" | undefined {
	const writing = [...write, ...(scratch ? [SCRATCH] : [])].map((root) => ({ root, access: "write" as const }));
	const reading = [...read, skillDir].map((root) => ({ root, access: "read" as const }));
	return deepest([...writing, ...reading], target)?.access;
}

/** The writable directory whose protected name, or a directory on the way to one, `target` is. */
function guardOf({ write, protect }: Asked, target: string): string | undefined {
	if (!protect) return undefined;
	return write.find((root) => {
		if (!within(target, root) || target === root) return false;
		// An inner grant that lies in what this one protects was asked for by name.
		if (write.some((inner) => inner !== root && within(inner, root) && within(target, inner) && isNamed(root, inner, false))) return false;
		return isNamed(root, target, true);
	});
}

/** Whether `target` is at or below a protected name of `root`, or on the way to one. */
function isNamed(root: string, target: string, orOnTheWay: boolean): boolean {
	const below = target.slice(root.length + 1).split("/");
	return namesIn(root).some((name) => {
		const isPlain = !name[0]?.startsWith(".");
		for (const [index, part] of name.entries()) {
			const actual = below[index];
			if (actual === undefined) return orOnTheWay && index > 0;
			if (isPlain) {
				if (!mayBe(actual.toLowerCase(), part.toLowerCase())) return false;
				continue;
			}
			// Who knows what it counts as: hidden names are kept apart from others.
			if (isForeign(actual) && (!part.startsWith(".") || actual.startsWith("."))) return true;
			if (actual.toLowerCase() !== part.toLowerCase()) return false;
		}
		return true;
	});
}

/** Whether a name may count as another one: letter by letter, where one that is foreign may be nothing, and another may hide in a foreign one. */
function mayBe(actual: string, part: string): boolean {
	const [first = "", hidden] = [actual.charAt(0), "fiklst".includes(part.charAt(0)) && part !== ""];
	if (first > "~" && mayBe(actual.slice(1), part)) return true;
	if (first !== "" && first === part.charAt(0) && mayBe(actual.slice(1), part.slice(1))) return true;
	return hidden ? mayBe(actual, part.slice(1)) : actual === "" && part === "";
}

/** A name of two parts in full or, where the root is called by the first of them, by its second. */
function namesIn(root: string): readonly string[][] {
	const last = root.slice(root.lastIndexOf("/") + 1).toLowerCase();
	return NAMES.concat(AT_HOME).flatMap((name) => {
		const parts = name.split("/");
		if (parts.length === 2 && last === parts[0]?.toLowerCase()) return [parts.slice(1)];
		return AT_HOME.includes(name) ? [] : [parts];
	});
}

/** Whether something that goes by its path would come along if `target` were moved: a part to be read, or a grant with protected names. */
function carries(asked: Asked, target: string): boolean {
	const islands = [...asked.read, asked.skillDir].filter((root) => !asked.write.includes(root) && accessBeside(asked, root) === "write");
	const homes = asked.protect ? asked.write : [];
	return homes.includes(target) || [...islands, ...homes].some((root) => root !== target && within(root, target));
}

const accessBeside = (asked: Asked, root: string): "read" | "write" | undefined => {
	const others = {
		...asked,
		read: asked.read.filter((other) => other !== root),
		skillDir: asked.skillDir === root ? HOME : asked.skillDir,
	};
	return root === asked.skillDir && asked.read.includes(root) ? accessBeside({ ...asked, skillDir: HOME }, root) : accessAt(others, root);
};

/** Whether the grant lets a script do it. */
export function expected(asked: Asked, operation: string, target: string): boolean {
	if (operation.startsWith("file-read")) return accessAt(asked, target) !== undefined;
	if (operation === "file-write-setugid" || accessAt(asked, target) !== "write") return false;
	if (guardOf(asked, target) !== undefined) return false;
	return !(["file-write-unlink", "file-write-create"].includes(operation) && carries(asked, target));
}

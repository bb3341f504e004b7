import type { Capabilities, ResourceLimits } from "@robot-lab/core";
import { columns } from "./columns.js";
import { CORE_WORDS } from "./core-words.js";
import { printableEnds, printableLine } from "./printable.js";
import { rightsWords } from "./rights-words.js";
import type { Style } from "./style.js";

/** What a skill asked for, what it may have at most, and what it is given. */
export interface GrantView {
	readonly declared: Capabilities;
	readonly ceiling: Capabilities;
	readonly grant: Capabilities;
	/** Where the host granted something in the place of what the SKILL.md asks for. */
	readonly instead?: { readonly asked: Capabilities; readonly by: string } | undefined;
}

const LONGEST_PATH = 72;

const REFUSED = { fsRead: "to read", fsWrite: "to write", network: "the network" } as const;

/** The three side by side, one right a row, and below what was refused and why. */
export function renderGrant({ declared, ceiling, grant, instead }: GrantView, style: Style): string[] {
	const three = [declared, ceiling, grant] as const;
	const table = columns([
		["", instead === undefined ? "asked" : "granted", "ceiling", "given"],
		...rows(
			"read",
			three.map(({ fsRead }) => fsRead.map(shown)),
		),
		...rows(
			"write",
			three.map(({ fsWrite }) => fsWrite.map(shown)),
		),
		...rows(
			"network",
			three.map(({ network }) => [network ? "yes" : "no"]),
		),
		...rows(
			"time",
			three.map(({ timeout }) => [`${timeout} s`]),
		),
		...rows(
			"limits",
			three.map(({ limits }) => limitTexts(limits)),
		),
	]);
	return [
		style.faint(table[0] ?? ""),
		...table.slice(1),
		...grant.refused.map(({ field, path, reason }) =>
			style.warning(`  refused  ${REFUSED[field]}${path === "" ? "" : ` ${shown(path)}`}: ${printableLine(reason, 200)}`),
		),
		...(instead === undefined
			? []
			: [`  granted  by ${printableLine(instead.by)}, in the place of what it asks for: ${grantWords(instead.asked)}`]),
		...(declared.isCore ? [style.warning(`  trust    core: whatever it is given, this skill ${CORE_WORDS}`)] : []),
	];
}

/** What somebody granted to a skill for once. */
export interface GrantedOnce {
	/** Printable. */
	readonly skill: string;
	readonly asked: Capabilities;
	readonly grant: Capabilities;
	readonly isConfined: boolean;
	readonly platform: NodeJS.Platform;
}

/** How far that goes, whether anything confines scripts to it, and what the ceiling kept back. */
export function grantedLines({ skill, asked, grant, isConfined, platform }: GrantedOnce, style: Style): string[] {
	const way = platform === "linux" ? " (--backend bubblewrap does, where it is installed)" : "";
	const held = isConfined ? "" : `, but nothing confines scripts here${way}: only time and limits hold`;
	return [
		`${style.heading("granted:")} ${skill} gets ${grantWords(grant)}, for this command${held}`,
		...keptBack(asked, grant).map((kept) => `${style.warning("not granted:")} ${kept}`),
	];
}

const WAYS = { fsRead: "--allow-read", fsWrite: "--allow-write", network: "--allow-network" } as const;

function keptBack(asked: Capabilities, grant: Capabilities): string[] {
	const most = new Map(Object.entries(grant.limits));
	return [
		...grant.refused.map(
			({ field, path, reason }) =>
				`${REFUSED[field]}${path === "" ? "" : ` ${shown(path)}`}: ${printableLine(reason, 200)}; ${WAYS[field]} raises the ceiling`,
		),
		...(asked.timeout > grant.timeout
			? [`${asked.timeout} s: the ceiling is ${grant.timeout} s; --timeout ${asked.timeout} raises the ceiling`]
			: []),
		...Object.entries(asked.limits).flatMap(([name, value]) => {
			const given = most.get(name) ?? value;
			return value > given ? [`${name} ${value}: the ceiling is ${given}; sandbox.limits in the configuration raises the ceiling`] : [];
		}),
	];
}

const grantWords = (given: Capabilities): string =>
	[rightsWords(given, (paths) => paths.map(shown).join(", ")), `at most ${given.timeout} s`, ...limitTexts(given.limits)].join("; ");

/** Each limit that is set, named as the configuration spells it. */
export const limitTexts = (limits: ResourceLimits): string[] => Object.entries(limits).map(([name, value]) => `${name} ${value}`);

/** One row, or as many as the longest list has entries. */
function rows(label: string, cells: readonly (readonly string[])[]): string[][] {
	const height = Math.max(1, ...cells.map((cell) => cell.length));
	return Array.from({ length: height }, (_, line) => [
		line === 0 ? label : "",
		...cells.map((cell) => cell[line] ?? (line === 0 ? "nothing" : "")),
	]);
}

const shown = (path: string): string => printableEnds(path, LONGEST_PATH);

import type { CatalogEntry } from "@robot-lab/core";
import { wrapped } from "./columns.js";
import { CORE_WORDS } from "./core-words.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

/** Each skill's name and which root it is from, below its description, what it hides and whether it runs unconfined by the host's trust. */
export function renderSkillList(entries: readonly CatalogEntry[], style: Style, width: number): string[] {
	return entries.flatMap(({ skill, root, hides }) => [
		`${style.name(printableLine(skill.name))}${style.faint(`  ${printableLine(root.path)}`)}`,
		...wrapped(printableLine(skill.description), Math.max(20, Math.min(width, 100) - 2)).map((line) => `  ${line}`),
		...(skill.capabilities.isCore ? [`  ${style.warning(CORE_WORDS)}`] : []),
		...hides.map((path) => `  ${style.faint(`hides ${printableLine(path)}`)}`),
	]);
}

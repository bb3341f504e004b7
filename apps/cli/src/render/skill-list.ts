import { wrapped } from "./columns.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

/** Each skill's name, and its description below. */
export function renderSkillList(
	skills: readonly { readonly name: string; readonly description: string }[],
	style: Style,
	width: number,
): string[] {
	return skills.flatMap(({ name, description }) => [
		style.name(printableLine(name)),
		...wrapped(printableLine(description), Math.max(20, Math.min(width, 100) - 2)).map((line) => `  ${line}`),
	]);
}

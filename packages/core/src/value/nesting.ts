import { isObject } from "./frozen-copy.js";

/** Whether data is more than so many lists and records within each other. Level by level, as it may be nested deeper than the stack. */
export function isNestedDeeper(value: unknown, mostLevels: number): boolean {
	let level = isObject(value) ? [value] : [];
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > mostLevels) return true;
		// each once: data that is no tree would grow with every level
		level = [...new Set(level.flatMap((holder) => Object.values(holder).filter(isObject)))];
	}
	return false;
}

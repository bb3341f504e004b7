import { isObject } from "./frozen-copy.js";

/** Whether parsed JSON is more than so many lists and records within each other. It looks no further down than that, however deep it is. */
export function isNestedDeeper(value: unknown, mostLevels: number): boolean {
	if (!isObject(value)) return false;
	return mostLevels === 0 || Object.values(value).some((entry) => isNestedDeeper(entry, mostLevels - 1));
}

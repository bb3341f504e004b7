import type { WrittenSetting } from "./config-origin.js";
import { SETTINGS } from "./settings.js";
import type { Written } from "./written.js";

/** Settings that were checked, in the sections they belong to. Of a setting that is there twice the later one counts. */
export function writtenOf(settings: Iterable<WrittenSetting>): Written {
	const written: Record<string, unknown> = {};
	for (const { name, value } of settings) {
		const path = SETTINGS.get(name)?.path ?? [];
		sectionAt(written, path.slice(0, -1))[path.at(-1) ?? ""] = value;
	}
	return written;
}

function sectionAt(written: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
	const [key, ...below] = path;
	if (key === undefined) return written;
	written[key] ??= {};
	return sectionAt(written[key] as Record<string, unknown>, below);
}

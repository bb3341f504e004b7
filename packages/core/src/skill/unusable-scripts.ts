import { basename, dirname } from "node:path";
import { makeAllExecutable } from "../script/executable-bit.js";
import type { ScriptInspection } from "../script/inspect-script.js";
import { type SkillDiagnostic, warning } from "./skill-diagnostic.js";

type Unusable = ScriptInspection & { readonly kind: "unusable" };

/**
 * What is to be said of scripts that are no tools: one thing of each, but of several directly in `scripts/` without their executable bit, which archives
 * take from all files at once, one of all.
 */
export function unusableScripts(inspections: readonly ScriptInspection[], directory: string): readonly SkillDiagnostic[] {
	const unusable = inspections.filter((inspection): inspection is Unusable => inspection.kind === "unusable");
	const withoutBit = unusable.filter(({ code, path }) => code === "script_not_executable" && dirname(path) === directory);
	if (withoutBit.length < 2) return unusable.map(warning);
	const names = withoutBit.map(({ path }) => basename(path));
	const message = `${names.length} scripts are not executable and are no tools. Set scripts.require_executable to false (archives and copies often lose the bit), or ${makeAllExecutable(directory, names)}`;
	const others = unusable.filter((each) => !withoutBit.includes(each));
	return [warning({ code: "script_not_executable", message, path: directory }), ...others.map(warning)];
}

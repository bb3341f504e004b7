import type { SkillDiagnostic } from "@robot-lab/core";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

/** What is wrong with bundles, one line each. */
export function renderDiagnostics(diagnostics: readonly SkillDiagnostic[], style: Style): string[] {
	return diagnostics.map(({ severity, message, path }) => {
		const word = severity === "error" ? style.bad(severity) : style.warning(severity);
		const said = printableLine(message, 1000);
		return `${word}: ${said.includes(path) ? said : `${said} (${printableLine(path, 200)})`}`;
	});
}

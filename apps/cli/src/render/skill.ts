import type { ScriptView, SkillView } from "../skill-view.js";
import { capabilitiesRecord, ceilingRecord } from "./capabilities.js";
import { columns, wrapped } from "./columns.js";
import { renderDiagnostics } from "./diagnostics.js";
import { renderGrant } from "./grant.js";
import { printable, printableLine } from "./printable.js";
import { renderParameters } from "./script-parameters.js";
import type { Style } from "./style.js";

/** A skill as people read it. */
export function renderSkill(view: SkillView, style: Style, width: number): string[] {
	const { skill, scripts, diagnostics } = view;
	const heading = (text: string): string => style.heading(text);
	const facts = Object.entries({ path: skill.path, license: skill.license, compatibility: skill.compatibility });
	return [
		style.name(printableLine(skill.name)),
		...wrapped(printableLine(skill.description), Math.max(20, Math.min(width, 100) - 2)).map((line) => `  ${line}`),
		"",
		...columns(facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, printableLine(value)]]))),
		"",
		heading("Grant"),
		...renderGrant(view, style),
		"",
		heading("Scripts"),
		...(scripts.length > 0 ? scriptLines(scripts) : ["  none"]),
		...scripts.flatMap((script) => helpLines(script, style)),
		...(diagnostics.length > 0 ? ["", heading("Diagnostics"), ...renderDiagnostics(diagnostics, style).map((line) => `  ${line}`)] : []),
	];
}

/** A skill as programs read it. */
export function skillRecord({ skill, scripts, diagnostics, declared, ceiling, grant, instead }: SkillView): object {
	const { name, description, path, license, compatibility, metadata, allowedTools } = skill;
	return {
		name,
		description,
		path,
		license,
		compatibility,
		metadata,
		allowedTools,
		declared: capabilitiesRecord(declared),
		...(instead && { grantedBy: instead.by, asked: capabilitiesRecord(instead.asked) }),
		ceiling: ceilingRecord(ceiling),
		grant: { ...capabilitiesRecord(grant), refused: grant.refused },
		scripts,
		diagnostics,
	};
}

/** Below each script what it takes. */
function scriptLines(scripts: readonly ScriptView[]): string[] {
	return columns(scripts.map(scriptRow)).flatMap((line, index) => {
		const script = scripts[index];
		return script?.tool == null || script.parameters === undefined ? [line] : [line, ...renderParameters(script.parameters)];
	});
}

function helpLines(script: ScriptView, style: Style): string[] {
	if (script.tool === null || script.help === undefined) return [];
	const lines = printable(script.help).split("\n");
	return ["", style.heading(`${printableLine(script.file, 60)} --help`), ...lines.map((line) => `  ${line}`.trimEnd())];
}

function scriptRow(script: ScriptView): string[] {
	const file = printableLine(script.file, 60);
	if (script.tool === null) return [file, `no tool: ${printableLine(script.reason, 200)}`];
	return [file, `${script.tool}: ${printableLine(script.description, 100)}`];
}

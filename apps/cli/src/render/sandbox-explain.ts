import type { AgentSkill, SkillDiagnostic } from "@robot-lab/core";
import type { Answer, Explanation } from "@robot-lab/sandbox";
import { capabilitiesRecord, ceilingRecord } from "./capabilities.js";
import { columns } from "./columns.js";
import { renderDiagnostics } from "./diagnostics.js";
import { type GrantView, renderGrant } from "./grant.js";
import { printableLine } from "./printable.js";
import type { Style } from "./style.js";

/** What a skill's script is given and may do, and what it was asked about. */
export interface ExplanationView {
	readonly skill: AgentSkill;
	/** The script whose interpreter counts. */
	readonly script: string | undefined;
	readonly explanation: Explanation;
	readonly diagnostics: readonly SkillDiagnostic[];
	/** Whether confinement was left on. */
	readonly enabled: boolean;
	readonly instead: GrantView["instead"];
}

const LONGEST_RULE = 300;

/** The explanation as people read it. */
export function renderExplanation(view: ExplanationView, style: Style): string[] {
	const { skill, explanation, diagnostics, instead } = view;
	const { notes, answers } = explanation;
	const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ["", style.heading(title), ...lines]);
	return [
		style.name(printableLine(skill.name)),
		...facts(view, style),
		...section("Grant", renderGrant({ ...explanation, instead }, style)),
		...section(
			"Holds less than asked",
			notes.map((note) => style.warning(`  ${printableLine(note)}`)),
		),
		...section(
			"Diagnostics",
			renderDiagnostics(diagnostics, style).map((line) => `  ${line}`),
		),
		...section(
			"Answers",
			answers.flatMap((answer) => renderAnswer(answer, style)),
		),
	];
}

function facts({ script, explanation, enabled }: ExplanationView, style: Style): string[] {
	const { platform, strategy, because, obstacle, grant } = explanation;
	const limits = Object.entries(grant.limits).map(([name, limit]) => `${name} ${limit}`);
	const unconfined = `nothing is denied, because ${enabled ? because : "--no-sandbox was given"}`;
	return columns([
		...(script === undefined ? [] : [["script", printableLine(script, 80)]]),
		["platform", platform],
		["confined", strategy === "none" ? style.warning(unconfined) : `${strategy}, because ${because}`],
		...(obstacle === undefined ? [] : [["but", style.bad(printableLine(obstacle))]]),
		["trust", grant.trust],
		...(limits.length === 0 ? [] : [["limits", limits.join(", ")]]),
		...(strategy === "none"
			? []
			: [["besides", "its own directory and the system's programs to read, a temporary directory of the run's own ($TMPDIR) to write"]]),
	]);
}

function renderAnswer({ question, allowed, rule, why, path }: Answer, style: Style): string[] {
	const verdict = allowed ? style.good("allowed") : style.bad("denied ");
	const asked = printableLine(question);
	const leads = path === undefined || question.endsWith(` ${path}`) ? [] : [`           leads to ${printableLine(path)}`];
	const reason = why === undefined ? [] : [`           because: ${printableLine(why, LONGEST_RULE)}`];
	return [`  ${verdict}  ${asked}`, ...leads, `           by: ${printableLine(rule, LONGEST_RULE)}`, ...reason];
}

/** The explanation as programs read it. */
export function explanationRecord({ skill, script, explanation, diagnostics, instead }: ExplanationView): object {
	const { declared, ceiling, grant, ...rest } = explanation;
	return {
		skill: skill.name,
		...(script !== undefined && { script }),
		...rest,
		declared: capabilitiesRecord(declared),
		...(instead && { grantedBy: instead.by, asked: capabilitiesRecord(instead.asked) }),
		ceiling: ceilingRecord(ceiling),
		grant: { ...capabilitiesRecord(grant), refused: grant.refused },
		diagnostics,
	};
}

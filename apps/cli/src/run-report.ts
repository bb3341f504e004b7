import type { AgentSkillCatalog, StreamEvent, StreamEventOf } from "@robot-lab/core";
import { Sandbox } from "@robot-lab/sandbox";
import type { CommandLineGrants } from "./grants.js";
import type { ModelChoice } from "./model.js";
import type { RunSurroundings } from "./render/call-text.js";
import { renderDiagnostics } from "./render/diagnostics.js";
import { jsonLine } from "./render/json.js";
import { runComplaint } from "./render/run-complaint.js";
import { RunText } from "./render/run-text.js";
import { RunningCalls } from "./render/running-calls.js";
import { grantOf } from "./skill-view.js";
import type { Terminal } from "./terminal.js";
import { watchLines } from "./watched-lines.js";

/** Tells of a run while it goes on, and keeps what the verdict needs. */
export interface RunReport {
	readonly onEvent: (event: StreamEvent) => void;
	/** The run is over: nothing is drawn anew any more. */
	readonly end: () => void;
	readonly matchedSkills: number;
	readonly endedCalls: number;
	readonly failedCalls: number;
}

export interface RunReportOptions {
	readonly choice: ModelChoice;
	readonly skills: AgentSkillCatalog;
	/** What the command line granted. */
	readonly granted?: CommandLineGrants | undefined;
	readonly terminal: Terminal;
	readonly json: boolean;
}

/** Begins the report: what is wrong with skills goes to standard error, everything else to standard output. */
export async function reportRun({ choice, skills, granted, terminal, json }: RunReportOptions): Promise<RunReport> {
	for (const line of renderDiagnostics(await skills.diagnostics(), terminal.errStyle)) terminal.err(`${line}\n`);
	const writer = json ? jsonWriter(choice, terminal) : await textWriter(choice, await surroundingsOf(skills, granted), terminal);
	const count = { matchedSkills: 0, endedCalls: 0, failedCalls: 0 };
	return {
		onEvent: (event) => {
			if (event.event === "metadata.updated") count.matchedSkills += skillsIn(event.data);
			if ((event.event === "part.completed" || event.event === "part.failed") && event.data.type === "tool-output") {
				count.endedCalls += 1;
				if (event.event === "part.failed") count.failedCalls += 1;
			}
			writer.event(event);
		},
		end: writer.end,
		get matchedSkills() {
			return count.matchedSkills;
		},
		get endedCalls() {
			return count.endedCalls;
		},
		get failedCalls() {
			return count.failedCalls;
		},
	};
}

/** How many skills an event says to be in the run. */
function skillsIn(data: StreamEventOf<"metadata.updated">["data"]): number {
	if (data.type === "skill_loaded") return 1;
	return data.type === "skills" ? data.matches.filter(({ tier }) => tier === "active").length : 0;
}

type RunWriter = Pick<RunReport, "end"> & { readonly event: RunReport["onEvent"] };

function complain(event: StreamEvent, { err, errStyle }: Terminal): void {
	const complaint = runComplaint(event, errStyle);
	if (complaint !== "") err(complaint);
}

/** Says beside JSON who answers where nobody chose a model. */
export function sayFallback({ isFallback }: ModelChoice, { err }: Terminal): void {
	if (isFallback) err("No model is configured, so the offline model answers. Choose one with --model provider/id.\n");
}

/** The envelopes as they are, one a line. */
function jsonWriter(choice: ModelChoice, terminal: Terminal): RunWriter {
	const { out } = terminal;
	sayFallback(choice, terminal);
	return {
		event: (event) => {
			out(jsonLine(event));
			complain(event, terminal);
		},
		end: () => {},
	};
}

/** What is known of confinement before anything runs. */
export async function surroundingsOf(
	skills: AgentSkillCatalog,
	granted?: CommandLineGrants,
): Promise<Omit<RunSurroundings, "isWatched" | "isQuoted">> {
	const byName = new Map((await skills.all()).map((skill) => [skill.name, skill]));
	return {
		...(await Sandbox.status()),
		platform: process.platform,
		grantOf: (name) => {
			const skill = byName.get(name);
			return skill && grantOf(skill, granted);
		},
	};
}

async function textWriter(choice: ModelChoice, known: Awaited<ReturnType<typeof surroundingsOf>>, terminal: Terminal): Promise<RunWriter> {
	const { live, outStyle, out } = terminal;
	const surroundings = { ...known, isWatched: live !== undefined, isQuoted: choice.model === "offline" };
	const text = new RunText(outStyle, surroundings);
	out(text.start(choice));
	const watched = live && watchLines(live, outStyle, new RunningCalls());
	return {
		event: (event) => {
			// before what is told of it for good: the line of a call that ended would be drawn once more below that
			watched?.event(event);
			out(text.event(event));
			complain(event, terminal);
		},
		end: () => watched?.end(),
	};
}

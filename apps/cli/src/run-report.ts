import type { AgentSkillCatalog, RobotEvent } from "@robot-lab/core";
import { Sandbox } from "@robot-lab/sandbox";
import type { ModelChoice } from "./model.js";
import { renderDiagnostics } from "./render/diagnostics.js";
import { jsonLine } from "./render/json.js";
import { eventRecord, failureRecord, startRecord } from "./render/run-record.js";
import { RunText } from "./render/run-text.js";
import { grantOf } from "./skill-view.js";
import type { Terminal } from "./terminal.js";

/** Tells of a run while it goes on, and keeps what the verdict needs. */
export interface RunReport {
	readonly onEvent: (event: RobotEvent) => void;
	readonly onFailure: (error: unknown) => void;
	readonly matchedSkills: number;
	readonly failedCalls: number;
}

export interface RunReportOptions {
	readonly choice: ModelChoice;
	readonly skills: AgentSkillCatalog;
	readonly terminal: Terminal;
	readonly json: boolean;
}

/** Begins the report: what is wrong with skills goes to standard error, everything else to standard output. */
export async function reportRun({ choice, skills, terminal, json }: RunReportOptions): Promise<RunReport> {
	for (const line of renderDiagnostics(await skills.diagnostics(), terminal.errStyle)) terminal.err(`${line}\n`);
	const surroundings = { ...(await Sandbox.status()), platform: process.platform, grantOf };
	const write = json ? jsonWriter(terminal) : textWriter(new RunText(terminal.outStyle, surroundings), terminal);
	let matchedSkills = 0;
	let failedCalls = 0;
	write.start(choice);
	return {
		onEvent: (event) => {
			if (event.type === "skills_matched") matchedSkills = event.matches.length;
			if (event.type === "tool_call_ended" && event.isError) failedCalls++;
			write.event(event);
		},
		onFailure: write.failure,
		get matchedSkills() {
			return matchedSkills;
		},
		get failedCalls() {
			return failedCalls;
		},
	};
}

/** What is wrong with skills stands at the beginning of the report, that of skills that do not match included. */
const isToldAtStart = (event: RobotEvent): boolean => event.type === "warning" && event.skill !== undefined;

interface RunWriter {
	start(choice: ModelChoice): void;
	event(event: RobotEvent): void;
	failure(error: unknown): void;
}

function jsonWriter({ out, err }: Terminal): RunWriter {
	return {
		start: (choice) => {
			if (choice.isFallback) err("No model is configured, so the offline model answers. Choose one with --model provider/id.\n");
			out(jsonLine(startRecord(choice)));
		},
		event: (event) => {
			if (event.type === "warning" && !isToldAtStart(event)) err(`warning: ${event.message}\n`);
			out(jsonLine(eventRecord(event, grantOf)));
		},
		failure: (error) => out(jsonLine(failureRecord(error))),
	};
}

function textWriter(text: RunText, { out, err }: Terminal): RunWriter {
	return {
		start: (choice) => out(text.start(choice)),
		event: (event) => {
			if (isToldAtStart(event)) return;
			(event.type === "warning" || event.type === "retry" ? err : out)(text.event(event));
		},
		failure: () => out(text.broken()),
	};
}

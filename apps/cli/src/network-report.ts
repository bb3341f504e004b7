import type { AgentSkillCatalog, Network, NetworkResult, StreamEvent } from "@robot-lab/core";
import type { ModelChoice } from "./model.js";
import { renderDiagnostics } from "./render/diagnostics.js";
import { jsonLine } from "./render/json.js";
import { NetworkComplaints } from "./render/network-complaints.js";
import { NetworkText } from "./render/network-text.js";
import { NetworkTree } from "./render/network-tree.js";
import { sayFallback, surroundingsOf } from "./run-report.js";
import type { Terminal } from "./terminal.js";
import { watchLines } from "./watched-lines.js";

/** Tells of a network's run while it goes on, and what it came to. */
export interface NetworkReport {
	readonly onEvent: (event: StreamEvent) => void;
	/** The run is over: nothing is drawn anew any more. */
	readonly end: () => void;
	readonly result: (result: NetworkResult) => void;
}

export interface NetworkReportOptions {
	readonly network: Network<string>;
	readonly choice: ModelChoice;
	readonly skills: AgentSkillCatalog;
	readonly terminal: Terminal;
	readonly json: boolean;
}

/** Begins the report. What is wrong with skills goes to standard error, everything else to standard output. */
export async function reportNetwork(options: NetworkReportOptions): Promise<NetworkReport> {
	const { skills, terminal, json } = options;
	for (const line of renderDiagnostics(await skills.diagnostics(), terminal.errStyle)) terminal.err(`${line}\n`);
	const report = await (json ? jsonReport(options) : textReport(options));
	const complaints = new NetworkComplaints();
	return {
		...report,
		onEvent: (event) => {
			report.onEvent(event);
			terminal.err(complaints.complaint(event, terminal.errStyle));
		},
	};
}

/** The events as they are, one a line, and the result behind them. */
function jsonReport({ choice, terminal }: NetworkReportOptions): NetworkReport {
	sayFallback(choice, terminal);
	return {
		onEvent: (event) => terminal.out(jsonLine(event)),
		end: () => {},
		result: (result) => terminal.out(jsonLine({ result })),
	};
}

async function textReport({ network, choice, skills, terminal }: NetworkReportOptions): Promise<NetworkReport> {
	const { live, outStyle, out } = terminal;
	const text = new NetworkText(outStyle, { ...(await surroundingsOf(skills)), isWatched: live !== undefined });
	out(text.start(network.name, network.toJSON().tasks.length, choice));
	const watched = live && watchLines(live, outStyle, new NetworkTree());
	return {
		onEvent: (event) => {
			watched?.event(event);
			out(text.event(event));
		},
		end: () => watched?.end(),
		result: (result) => out(text.end(result)),
	};
}

import {
	type AgentSkill,
	type ApprovalAnswer,
	type ApprovalOptions,
	type ApprovalRequest,
	askUser,
	Capabilities,
	ScriptTool,
} from "@robot-lab/core";
import type { Command } from "commander";
import { UsageError } from "./exit.js";
import { approvalQuestion } from "./render/approval-question.js";
import { CORE_WORDS } from "./render/core-words.js";
import { printableLine } from "./render/printable.js";
import type { Terminal } from "./terminal.js";

/** Whether somebody is asked before scripts run. */
export interface ApprovalFlags {
	readonly ask?: boolean;
	readonly yes?: boolean;
}

export function addApprovalOptions(command: Command): Command {
	return command
		.option(
			"--ask",
			"ask before the first script of a skill runs, also where it is confined (default: only where it is not, on a terminal)",
		)
		.option("--yes", "let scripts run without a question");
}

/**
 * What decides about scripts; `undefined`: nobody is asked. What is confined is held to its grant and asks nobody. What is not may do all that this user
 * may: a person at a terminal is asked. Where there is none, as in a pipeline, whoever wrote the command decided; with --ask only what was
 * approved for good runs there. Once there are settings: looks at them.
 */
export function approvalFor({ ask, yes }: ApprovalFlags, terminal: Terminal): ApprovalOptions | undefined {
	if (ask && yes) throw new UsageError("--ask asks before scripts run, and --yes that nobody is asked. Leave one of them out.");
	const isPersonThere = process.stdin.isTTY === true && terminal.isScreen.stderr;
	const isConfined = ScriptTool.executor?.confines?.(new Capabilities()) === true;
	if (yes || (!ask && (isConfined || !isPersonThere))) return undefined;
	// else a Python script that may write its bundle leaves compiled libraries there, and is asked about again
	process.env.PYTHONDONTWRITEBYTECODE ??= "1";
	return { approve: isPersonThere ? onTerminal(terminal) : async () => ({ deny: NOBODY }) };
}

/** Names the skills that --ask does not ask about. */
export async function tellUnasked(
	skills: () => Promise<readonly AgentSkill[]>,
	{ ask }: ApprovalFlags,
	{ err, errStyle }: Terminal,
): Promise<void> {
	if (ask !== true) return;
	for (const { name, capabilities } of await skills())
		if (capabilities.isCore) err(`${errStyle.warning("note:")} ${printableLine(name, 80)} ${CORE_WORDS}\n`);
}

const NOBODY = "it was to be asked about (--ask), and there is no terminal to ask on. Approve it for good on one, or leave --ask out.";

const UNSHOWN =
	"what it would get, or the path where it lies, is too long for a question. Have it ask for fewer directories, or lay it elsewhere.";

const CHOICES = { once: "once", always: "always, until it changes", deny: "no" } as const satisfies Partial<
	Record<ApprovalAnswer & string, string>
>;

function onTerminal({ live }: Terminal): (request: ApprovalRequest, context: { readonly signal: AbortSignal }) => Promise<ApprovalAnswer> {
	const person = askUser({ output: process.stderr, dropTypedAhead: true });
	return async (request, { signal }) => {
		const text = approvalQuestion(request);
		if (text === undefined) return { deny: UNSHOWN };
		const question = { question: text, choices: Object.values(CHOICES), default: CHOICES.deny };
		const put = (): Promise<unknown> => person.execute(question, { signal, robotName: "robot-lab" });
		const chosen = await (live === undefined ? put() : live.held(put));
		if (chosen === CHOICES.once) return "once";
		return chosen === CHOICES.always ? "always" : "deny";
	};
}

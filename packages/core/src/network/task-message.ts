import type { RobotResult } from "../message/robot-result.js";

/** What a robot is asked where its task does not say: the network's message, and behind it the answers of what it depends on, each below its name. */
export function taskMessage(message: string, answers: readonly (readonly [task: string, result: RobotResult])[]): string {
	let text = message;
	for (const [task, { lastTextContent }] of answers) text += `\n\nResult of "${task}":\n${lastTextContent ?? "(no text)"}`;
	return text;
}

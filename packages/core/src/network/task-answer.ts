import { randomUUID } from "node:crypto";
import { ConfigurationError } from "../errors/configuration-error.js";
import { RobotLabError } from "../errors/robot-lab-error.js";
import { assistantText } from "../message/message.js";
import { RobotResult } from "../message/robot-result.js";
import { ABORTED } from "../process/unless-aborted.js";
import { describeValue } from "../text/describe-value.js";

/**
 * What a robot answered, as a task takes it: its result, or ABORTED for one that was stopped. Throws for what is no result, and for one that says
 * that the provider ended it with an error: other tasks must not go on from there.
 */
export function taskAnswer(task: string, answer: unknown): RobotResult | typeof ABORTED {
	const result = resultOf(answer);
	if (result === undefined) {
		throw new ConfigurationError(`The robot of the task "${task}" must come to a RobotResult, and came to ${describeValue(answer)}.`);
	}
	if (result.stopReason === "aborted") return ABORTED;
	if (result.stopReason === "error")
		throw new RobotLabError("task_error", `The provider ended the answer of the task "${task}" with an error.`);
	return result;
}

/** By shape: a result of another copy of the package is one, too. */
function resultOf(answer: unknown): RobotResult | undefined {
	if (answer instanceof RobotResult) return answer;
	try {
		return RobotResult.fromJSON(JSON.stringify(answer));
	} catch {
		return undefined;
	}
}

/** A result that no robot came to. */
export const textResult = (robotName: string, text: string): RobotResult =>
	new RobotResult({
		id: randomUUID(),
		robotName,
		output: [assistantText(text)],
		toolCalls: [],
		stopReason: "stop",
		createdAt: new Date(),
		durationMs: 0,
	});

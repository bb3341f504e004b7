import { contentText } from "../bus/content-text.js";
import type { Delivery } from "../bus/delivery.js";
import type { RobotMessage } from "../bus/robot-message.js";
import { RobotLabError } from "../errors/robot-lab-error.js";
import type { Delegate } from "./delegation-future.js";

/** What a robot answers to a message of the bus: the last text of its run, which may be empty, or cut. Rejects where the run came to no answer. */
export async function answerTask(robot: Delegate, { content, from }: RobotMessage, { signal, run }: Delivery): Promise<string> {
	const { stopReason, lastTextContent } = await robot.run(contentText(content), { signal, parent: run });
	if (stopReason === "stop") return lastTextContent ?? "";
	// what was cut is an answer where there is some of it
	if (lastTextContent !== undefined && stopReason !== "aborted" && stopReason !== "error") return lastTextContent;
	throw new RobotLabError("not_answered", `"${robot.name}" came to no answer for "${from}": its run ended with "${stopReason}".`);
}

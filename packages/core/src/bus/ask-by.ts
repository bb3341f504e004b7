import { noAnswerWithin } from "./bus-errors.js";
import type { Letter } from "./letter.js";
import type { RobotMessage } from "./robot-message.js";
import type { SentMessage } from "./sent-message.js";
import { withinLimits } from "./time-limit.js";

/** Sends a question and waits for the first answer. The time that it has is for both. */
export function askBy(
	send: (letter: Letter) => Promise<SentMessage>,
	{ timeoutMs, ...letter }: Letter & { readonly timeoutMs: number | undefined },
): Promise<RobotMessage> {
	return withinLimits(
		{ timeoutMs, signal: letter.signal },
		(ms) => noAnswerWithin(letter.to, ms),
		async (signal) => (await send({ ...letter, signal })).reply({ signal }),
	);
}

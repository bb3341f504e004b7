import { assistantText } from "../../src/message/message.js";
import { RobotResult } from "../../src/message/robot-result.js";
import type { StopReason } from "../../src/message/stop-reason.js";
import type { Delegate } from "../../src/robot/delegation-future.js";
import type { RunOptions } from "../../src/robot/run-options.js";

/** A result that says a text. */
export const resultOf = (text: string, stopReason: StopReason = "stop"): RobotResult =>
	new RobotResult({
		id: `result-of-${text}`,
		robotName: "robot",
		output: [assistantText(text)],
		toolCalls: [],
		stopReason,
		createdAt: new Date(0),
		durationMs: 1,
	});

/** What runs like a robot: a function of the message. */
export const robotThat = (run: (message: string, options: RunOptions) => unknown, name = "robot"): Delegate => ({
	name,
	run: async (message, options = {}) => {
		const answer = await run(message, options);
		return (typeof answer === "string" ? resultOf(answer) : answer) as RobotResult;
	},
});

export const saying = (text: string): Delegate => robotThat(() => text);

export const failing = (message: string): Delegate =>
	robotThat(() => {
		throw new Error(message);
	});

/** Comes to an end only when it is stopped, and says so. */
export const untilStopped = (): Delegate =>
	robotThat(
		(_message, { signal }) =>
			new Promise((resolve) => {
				const end = (): void => resolve(resultOf("stopped", "aborted"));
				if (signal?.aborted) end();
				else signal?.addEventListener("abort", end, { once: true });
			}),
	);

/** Never comes to an end, whatever it is told. */
export const deaf = (): Delegate => robotThat(() => new Promise(() => {}));

/** A robot that waits until it is let go. */
export function gated(text = "gated"): { readonly robot: Delegate; readonly open: () => void; readonly asked: Promise<string> } {
	const gate = Promise.withResolvers<void>();
	const asked = Promise.withResolvers<string>();
	const robot = robotThat(async (message) => {
		asked.resolve(message);
		await gate.promise;
		return text;
	});
	return { robot, open: () => gate.resolve(), asked: asked.promise };
}

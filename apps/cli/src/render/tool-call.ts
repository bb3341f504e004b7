import type { RobotEvent } from "@robot-lab/core";
import { printableLine } from "./printable.js";

type EndedCall = Pick<Extract<RobotEvent, { type: "tool_call_ended" }>, "isError" | "result">;

const LONGEST_ARGUMENTS = 300;
const REFUSED = /^Error \(not run[^)]*\): /;

/** Whether a call came to nothing: the tool failed, or its script did. */
export function isFailedCall({ isError, result }: EndedCall): boolean {
	return isError || /^Error \((exit|signal|timed out|aborted|not run)/.test(result);
}

/** Whether the script was not run at all. */
export const isRefusedCall = ({ result }: EndedCall): boolean => REFUSED.test(result);

/** Why it was not run, without the code, which is for programs. */
export const refusalText = ({ result }: EndedCall): string => `not run: ${printableLine(result.replace(REFUSED, ""), 400)}`;

/** What a tool was called with, each argument as JSON. */
export function argumentsText(args: unknown): string {
	const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
	const text = isObject
		? Object.entries(args)
				.map(([key, value]) => `${key}=${JSON.stringify(value)}`)
				.join(" ")
		: JSON.stringify(args);
	return printableLine(text ?? "", LONGEST_ARGUMENTS);
}

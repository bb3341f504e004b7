import { config } from "@robot-lab/core";
import { UsageError } from "./exit.js";

/** Which model a run uses, and whether nobody chose it. */
export interface ModelChoice {
	readonly model: string;
	readonly isFallback: boolean;
}

/** The model given, else the configured one, else `offline`, which needs no key. */
export function chooseModel(given: string | undefined): ModelChoice {
	if (given?.trim() === "") throw new UsageError("--model takes provider/id or offline, not an empty text.");
	const model = given ?? config().model;
	return { model: model ?? "offline", isFallback: model === undefined };
}

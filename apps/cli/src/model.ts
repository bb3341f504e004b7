import { ConfigurationError, config, Robot } from "@robot-lab/core";
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
	if (model !== undefined) checkModel(given === undefined ? "The configured model" : "--model", model);
	return { model: model ?? "offline", isFallback: model === undefined };
}

/** So that who names a model that is none is told of it, and no robot that uses it is blamed. */
function checkModel(whose: string, model: string): void {
	try {
		new Robot({ name: "robot", model });
	} catch (error) {
		throw ConfigurationError.isInstance(error) ? new UsageError(`${whose} cannot be used: ${error.message}`) : error;
	}
}

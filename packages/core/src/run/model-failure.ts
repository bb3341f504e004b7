import { APICallError, InvalidResponseDataError, LoadAPIKeyError, LoadSettingError } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import { InferenceError } from "../errors/inference-error.js";
import { RobotLabError } from "../errors/robot-lab-error.js";
import { type Model, modelName } from "../model/model.js";
import { messageOf } from "../text/message-of.js";
import { providerErrorFacts } from "./provider-error.js";

const NETWORK_CODE =
	/^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EAI_AGAIN|UND_ERR_(SOCKET|(CONNECT|HEADERS|BODY)_TIMEOUT))$/;
const MAX_CAUSES = 5;

/** The stream ended before anything of an answer came. */
export class EmptyStreamError extends Error {
	override readonly name = "EmptyStreamError";
}

/** The error, or one of our own in the place of one that throws when it is read: what became of a run must not depend on that. */
export function legible(error: unknown): unknown {
	try {
		isRetryable(error);
		retryAfterOf(error, 0);
		reasonOf(error);
		providerErrorFacts(error);
		return error;
	} catch {
		return new Error("it failed with an error that cannot be read");
	}
}

/** Whether asking again may help: the server says so, the network failed, or the answer never began. */
export function isRetryable(error: unknown): boolean {
	if (error instanceof EmptyStreamError || isCutStream(error) || providerErrorFacts(error).isRetryable === true) return true;
	// a connection that drops within the answer comes as an error that calls itself final
	for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; cause = cause.cause, depth++) {
		if (NETWORK_CODE.test(String((cause as NodeJS.ErrnoException).code))) return true;
		if (cause instanceof TypeError && (cause.message === "fetch failed" || cause.message === "terminated")) return true;
	}
	return false;
}

/** What a provider package makes of a stream that ended too early: an answer that is not one, and of which it has nothing to show. */
const isCutStream = (error: unknown): boolean => InvalidResponseDataError.isInstance(error) && error.data === undefined;

/** What the server asked to wait for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfterOf(error: unknown, now: number): number | undefined {
	const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
	if (headers === undefined) return undefined;
	const milliseconds = waitOf(headers["retry-after-ms"]);
	if (milliseconds !== undefined) return milliseconds;
	const after = headers["retry-after"];
	const seconds = waitOf(after);
	if (seconds !== undefined) return seconds * 1_000;
	// Date.parse takes "-5" for a year
	const date = after === undefined || !/[a-z]/i.test(after) ? Number.NaN : Date.parse(after);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function waitOf(header: string | undefined): number | undefined {
	const value = header?.trim() ? Number(header) : Number.NaN;
	return value >= 0 ? value : undefined;
}

/** The error a run fails with: a missing key is something to configure, everything else the model's failure. */
export function modelFailure(error: unknown, model: Model, attempts: number): RobotLabError {
	if (RobotLabError.isInstance(error)) return error;
	const name = modelName(model);
	const reason = reasonOf(error);
	if (LoadAPIKeyError.isInstance(error) || LoadSettingError.isInstance(error)) {
		return new ConfigurationError(`Cannot use the model "${name}": ${reason}.`, { cause: error });
	}
	const tries = attempts === 1 ? "" : ` after ${attempts} attempts`;
	const { statusCode } = providerErrorFacts(error);
	return new InferenceError(`The model "${name}" failed${tries}: ${reason}.`, {
		cause: error,
		attempts,
		statusCode,
		isRetryable: isRetryable(error),
	});
}

/** The error's message and, where that says something else, its cause's. */
function reasonOf(error: unknown): string {
	const message = withoutFullStop(messageOf(error));
	const cause = error instanceof Error ? error.cause : undefined;
	if (!(cause instanceof Error) || cause.message === "" || message.includes(withoutFullStop(cause.message))) return message;
	return `${message} (${withoutFullStop(messageOf(cause))})`;
}

const withoutFullStop = (text: string): string => text.replace(/\.$/, "");

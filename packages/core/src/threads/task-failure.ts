import { AwaitTimeoutError } from "../errors/await-timeout-error.js";
import { BudgetExceededError } from "../errors/budget-exceeded-error.js";
import { BusError } from "../errors/bus-error.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { DelegationTimeoutError } from "../errors/delegation-timeout-error.js";
import { DependencyError } from "../errors/dependency-error.js";
import { InferenceError } from "../errors/inference-error.js";
import { McpError } from "../errors/mcp-error.js";
import { NetworkError } from "../errors/network-error.js";
import { RobotLabError } from "../errors/robot-lab-error.js";
import { SandboxUnavailableError } from "../errors/sandbox-unavailable-error.js";
import { StreamError } from "../errors/stream-error.js";
import { TaskRunnerError } from "../errors/task-runner-error.js";
import { ToolNotFoundError } from "../errors/tool-not-found-error.js";
import { type Json, JsonValues } from "../json/json-values.js";
import { isRecord } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";

/** An error as it crosses. */
export interface FailureRecord {
	readonly name: string;
	readonly message: string;
	readonly stack?: string;
	/** What its class and those above it are called, its own first; empty on errors of others. */
	readonly types: readonly string[];
	/** Whatever else it says, as far as it can be written as JSON. */
	readonly fields: readonly (readonly [name: string, value: Json])[];
	readonly cause?: FailureRecord;
}

/** Why something was aborted, as it crosses. */
export interface AbortRecord {
	readonly name: string;
	readonly message: string;
}

/** How errors of Robot Lab are branded: see {@link RobotLabError}. */
const BRAND = "@robot-lab/core/errors/";
/** By what they are called. */
const CLASSES: ReadonlyMap<string, { readonly typeName: string }> = new Map(
	[
		RobotLabError,
		AwaitTimeoutError,
		BudgetExceededError,
		BusError,
		ConfigurationError,
		DelegationTimeoutError,
		DependencyError,
		InferenceError,
		McpError,
		NetworkError,
		SandboxUnavailableError,
		StreamError,
		TaskRunnerError,
		ToolNotFoundError,
	].map((type) => [type.typeName, type]),
);
/** How many causes are told, one beneath the other. */
export const MAX_CAUSES = 5;
const APART: ReadonlySet<string> = new Set(["name", "message", "stack", "cause"]);

/** What there is to say of anything that was thrown. What is no error becomes one that says the same. */
export function failureRecord(error: unknown, causes: number = MAX_CAUSES): FailureRecord {
	const message = messageOf(error);
	try {
		if (!isRecord(error)) return { name: "Error", message, types: [], fields: [] };
		const { name, stack, cause } = error;
		return {
			name: typeof name === "string" ? name : "Error",
			message,
			...(typeof stack === "string" && { stack }),
			types: Object.getOwnPropertySymbols(error).flatMap(typeOf),
			fields: fieldsOf(error),
			...(cause !== undefined && causes > 0 && { cause: failureRecord(cause, causes - 1) }),
		};
	} catch {
		// anything may be thrown, as a proxy that throws when it is read
		return { name: "Error", message, types: [], fields: [] };
	}
}

/** The error that crossed: of the class it had there where that is one of Robot Lab, or extends one. */
export function errorFromRecord({ name, message, stack, types, fields, cause }: FailureRecord): Error {
	const options = cause === undefined ? {} : { cause: errorFromRecord(cause) };
	const type = types.map((type) => CLASSES.get(type)).find((known) => known !== undefined);
	// made by the class they all extend: the others take what they are made of in ways of their own, and say what it was in fields
	const error: Error =
		type === undefined
			? new Error(message, options)
			: Reflect.construct(RobotLabError, ["", message, options], type as typeof RobotLabError);
	for (const [field, value] of fields) define(error, field, value, true);
	// those of classes that extend one of ours: ours are there already
	for (const brand of types.map((type) => Symbol.for(`${BRAND}${type}`))) if (!(brand in error)) define(error, brand, true);
	if (error.name !== name) define(error, "name", name, Object.hasOwn(error, "name"));
	if (stack !== undefined) define(error, "stack", stack);
	return error;
}

/** What a signal was aborted with. */
export function abortRecord(reason: unknown): AbortRecord {
	const { name } = failureRecord(reason, 0);
	return { name: name === "Error" ? "AbortError" : name, message: messageOf(reason) };
}

/** What its own signal is aborted with there. */
export const reasonFromRecord = ({ name, message }: AbortRecord): DOMException => new DOMException(message, name);

function typeOf(symbol: symbol): string[] {
	const key = Symbol.keyFor(symbol);
	return key?.startsWith(BRAND) ? [key.slice(BRAND.length)] : [];
}

function fieldsOf(error: object): [string, Json][] {
	const values = new JsonValues();
	return Object.keys(error).flatMap((field): [string, Json][] => {
		if (APART.has(field)) return [];
		try {
			return [[field, values.accept((error as Readonly<Record<string, unknown>>)[field], field)]];
		} catch {
			return [];
		}
	});
}

function define(error: Error, name: string | symbol, value: unknown, enumerable = false): void {
	Object.defineProperty(error, name, { value, enumerable, writable: true, configurable: true });
}

import { isAbsolute } from "node:path";
import { ConfigurationError } from "../errors/configuration-error.js";
import { isSignal } from "../options/check-options.js";
import type { ScriptOptions } from "./script-executor.js";

/** Throws a ConfigurationError for what the types already forbid: JavaScript callers get a sentence instead of a failure further down. */
export function checkRun(command: readonly string[], options: ScriptOptions): void {
	if (!Array.isArray(command) || command.length === 0 || !command.every((word) => typeof word === "string")) {
		throw wrong("command", "a list of strings, the program first");
	}
	if (command[0] === "") throw wrong("command", "a list whose first string names a program");
	if (typeof options !== "object" || options === null) throw wrong("options", "an object with capabilities and skillDir");
	for (const [name, expected, fits] of CHECKS) {
		if (!fits(options[name])) throw wrong(`options.${name}`, expected);
	}
}

type Fits = (value: unknown) => boolean;

const optional =
	(fits: Fits): Fits =>
	(value) =>
		value === undefined || fits(value);
const text: Fits = (value) => typeof value === "string";
const callback: Fits = (value) => typeof value === "function";
const directory: Fits = (value) => typeof value === "string" && isAbsolute(value) && !value.includes("\0");

const CHECKS: readonly (readonly [name: keyof ScriptOptions, expected: string, fits: Fits])[] = [
	["capabilities", "what a skill declares: new Capabilities({ … })", isCapabilities],
	["skillDir", "the absolute path of the bundle's directory", directory],
	["cwd", "the absolute path of a directory", optional(directory)],
	["env", "an object of strings, with names that hold neither = nor NUL", optional(isEnvironment)],
	["stdin", "a string", optional(text)],
	["signal", "an AbortSignal", optional(isSignal)],
	["maxOutputBytes", "a whole number of bytes, 0 or more", optional((value) => Number.isSafeInteger(value) && (value as number) >= 0)],
	["streams", '"merged" or "separate"', optional((value) => value === "merged" || value === "separate")],
	["onOutput", "a function", optional(callback)],
	["onLifecycle", "a function", optional(callback)],
];

/** By shape: the class may come from another copy of the package. */
function isCapabilities(value: unknown): boolean {
	const { fsRead, fsWrite, timeout, intersect } = (value ?? {}) as Record<string, unknown>;
	return Array.isArray(fsRead) && Array.isArray(fsWrite) && typeof timeout === "number" && typeof intersect === "function";
}

function isEnvironment(value: unknown): boolean {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	return Object.entries(value).every(([name, entry]) => /^[^=\0]+$/.test(name) && typeof entry === "string" && !entry.includes("\0"));
}

const wrong = (name: string, expected: string): ConfigurationError =>
	new ConfigurationError(`Cannot run a script: ${name} must be ${expected}.`);

import { isAbsolute } from "node:path";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";
import type { Check } from "./check.js";

/** The longest delay a timer can carry, in whole seconds. */
export const MAX_TIMEOUT_SECONDS: number = Math.floor(MAX_TIMEOUT_MS / 1000);

export const oneOf =
	(...words: readonly string[]): Check =>
	(value) =>
		words.includes(value as string) ? undefined : `one of ${words.join(", ")}`;

export const wholeNumber =
	(unit: string, least: number, most: number = Number.MAX_SAFE_INTEGER): Check =>
	(value) =>
		Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
			? undefined
			: `a whole number of ${unit}, ${most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`}`;

export const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");

export const text: Check = (value) => (typeof value === "string" && value.trim() !== "" ? undefined : "a text that is not blank");

/** `holds` says what an entry should have been, or nothing when it is right. */
export const listOf =
	(words: string, holds: (entry: unknown) => string | undefined): Check =>
	(value) => {
		if (!Array.isArray(value)) return `a list of ${words}`;
		const wrong = value.findIndex((entry) => holds(entry) !== undefined);
		return wrong === -1 ? undefined : { entry: value[wrong], holds: holds(value[wrong]) ?? words };
	};

export const paths: Check = listOf("paths", (path) => (typeof path === "string" && path !== "" ? undefined : "paths"));

/** Paths that mean the same wherever the process is. */
export const fixedPaths: Check = listOf("paths", (path) =>
	typeof path === "string" && (isAbsolute(path) || /^~(\/|$)/.test(path)) ? undefined : "absolute paths or such that begin with ~/",
);

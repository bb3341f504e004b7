import { isRecord } from "../text/describe-value.js";
import { type BundleDigest, digestOf } from "./bundle-digest.js";

/** More than is ever written here. The parser takes a second and a hundred megabytes for two million brackets that somebody else wrote. */
const MAX_NESTED = 16;

/** What a text says in JSON, as a record of version 1; `undefined`: it is none. */
export function versionOne(text: string): Readonly<Record<string, unknown>> | undefined {
	if (isNestedBeyond(text, MAX_NESTED)) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) && value.version === 1 ? value : undefined;
	} catch {
		return undefined;
	}
}

/** By brackets that stand in no text. */
function isNestedBeyond(json: string, most: number): boolean {
	let depth = 0;
	let isInText = false;
	for (let at = 0; at < json.length; at += 1) {
		const sign = json.charCodeAt(at);
		if (sign === QUOTE) isInText = !isInText;
		else if (isInText) at += sign === BACKSLASH ? 1 : 0;
		else if (sign === OPEN_LIST || sign === OPEN_RECORD) depth += 1;
		else if (sign === CLOSE_LIST || sign === CLOSE_RECORD) depth -= 1;
		if (depth > most) return true;
	}
	return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;

/** A digest that was written down with its files; `undefined` where it is none, or the files are others than those it is of. */
export function readDigest(value: unknown): BundleDigest | undefined {
	if (!isRecord(value) || !isRecord(value.files)) return undefined;
	const files: Record<string, string> = Object.create(null);
	for (const [name, fact] of Object.entries(value.files)) {
		if (typeof fact !== "string") return undefined;
		files[name] = fact;
	}
	const digest = digestOf(files);
	return value.digest === digest ? Object.freeze({ digest, files: Object.freeze(files) }) : undefined;
}

import { hash } from "node:crypto";

/** A call as a guard sees it: its name, and its arguments as they were read, or the text that could not be. */
export interface GuardedCall {
	readonly name: string;
	readonly args: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly raw: string };
}

/** What is longer stands as its hash: a run may repeat calls that write whole files. */
const MAX_CHARACTERS = 200;

/** As deep as a message is read anywhere. What differs only below that counts as the same. */
const MAX_DEPTH = 100;

/** A text that two calls share when they have the same name and the same arguments, whatever the order of keys. Never throws. */
export function callFingerprint({ name, args }: GuardedCall): string {
	return `${name}\0${short(args.ok ? canonical(args.value, 0) : args.raw)}`;
}

/** What JSON says, with keys in order. Runs for every call: long texts are not even copied. */
function canonical(value: unknown, depth: number): string {
	if (typeof value === "string") return textOf(value);
	if (typeof value !== "object" || value === null) return String(value);
	if (depth === MAX_DEPTH) return "…";
	let parts = "";
	if (Array.isArray(value)) {
		for (const entry of value) parts += `${canonical(entry, depth + 1)},`;
		return `[${parts}]`;
	}
	const record = value as Readonly<Record<string, unknown>>;
	for (const key of Object.keys(record).sort()) parts += `${textOf(key)}:${canonical(record[key], depth + 1)},`;
	return `{${parts}}`;
}

const textOf = (text: string): string => (text.length <= MAX_CHARACTERS ? JSON.stringify(text) : short(text));

const short = (text: string): string => (text.length <= MAX_CHARACTERS ? text : `#${hash("sha1", text)}`);

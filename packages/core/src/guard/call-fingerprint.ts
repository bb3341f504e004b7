import { hash } from "node:crypto";

/** A call as a guard sees it: its name, and its arguments as they were read, or the text that could not be. */
export interface GuardedCall {
	readonly name: string;
	readonly args: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly raw: string };
}

/** Longer arguments stand as their hash: a run may repeat calls that write whole files. */
const MAX_CHARACTERS = 200;

/** As deep as a message is read anywhere. What differs only below that counts as the same. */
const MAX_DEPTH = 100;

/** A text that two calls share when they have the same name and the same arguments, whatever the order of keys. Never throws. */
export function callFingerprint({ name, args }: GuardedCall): string {
	const text = args.ok ? canonical(args.value, 0) : args.raw;
	return `${name}\0${text.length <= MAX_CHARACTERS ? text : `#${hash("sha1", text)}`}`;
}

/** JSON with its keys in order. */
function canonical(value: unknown, depth: number): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
	if (depth === MAX_DEPTH) return "…";
	if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, depth + 1)).join()}]`;
	const record = value as Readonly<Record<string, unknown>>;
	const keys = Object.keys(record).sort();
	return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(record[key], depth + 1)}`).join()}}`;
}

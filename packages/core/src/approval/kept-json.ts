import { isRecord } from "../text/describe-value.js";
import { type BundleDigest, digestOf } from "./bundle-digest.js";

/** What a text says in JSON, as a record of version 1; `undefined`: it is none. */
export function versionOne(text: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isRecord(value) && value.version === 1 ? value : undefined;
	} catch {
		return undefined;
	}
}

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

import { describeValue, isRecord } from "../text/describe-value.js";
import { frontMatterValue } from "./front-matter-value.js";

/** What the keys in `metadata` begin with that say what a bundle asks for: the standard has no field for it, and every key of `metadata` is allowed. */
export const METADATA_PREFIX = "robot-lab.";

/** What front matter declares, wherever it does. */
export interface Declared {
	readonly init: Readonly<Record<string, unknown>>;
	/** What in `metadata` does not count, and why. */
	readonly problems: readonly string[];
}

const LIMITS = ["memory_mb", "processes", "file_size_mb", "cpu_seconds", "output_bytes"];

/** How a field is read of a text, since all that `metadata` may hold is texts. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
	fs_read: linesOf,
	fs_write: linesOf,
	network: sameText,
	timeout: sameText,
	trust: sameText,
};

/** The fields that front matter has for what a bundle asks for, as they are documented. */
export const CAPABILITY_FIELDS: readonly string[] = Object.freeze([...Object.keys(READERS), "limits"]);

/**
 * The front matter with what its `metadata` declares, `robot-lab.fs_read` and so on, as the fields that it stands for. Only texts count there; a
 * field of the front matter itself counts before the one in `metadata`.
 */
export function declaredIn(frontMatter: Readonly<Record<string, unknown>>): Declared {
	const metadata = Object.hasOwn(frontMatter, "metadata") ? frontMatter.metadata : undefined;
	if (!isRecord(metadata) || !Object.keys(metadata).some((key) => key.startsWith(METADATA_PREFIX))) {
		return { init: frontMatter, problems: [] };
	}
	const init: Record<string, unknown> = Object.assign(Object.create(null), frontMatter);
	const problems: string[] = [];
	const take = (target: Record<string, unknown>, field: string, name: string, read: (text: string) => unknown): void => {
		const key = `${METADATA_PREFIX}${name}`;
		const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
		if (value === undefined || value === null) return;
		if (typeof value !== "string") problems.push(`${key}: ${describeValue(value)} is not a text and does not count. Put it in quotes`);
		else if (frontMatterValue(target, field, undefined) === undefined) target[field] = read(value);
		else problems.push(`${key}: does not count, because the front matter has ${name} itself`);
	};
	for (const [field, read] of Object.entries(READERS)) take(init, field, field, read);
	const own = frontMatterValue(init, "limits", undefined);
	const limits: Record<string, unknown> = Object.assign(Object.create(null), isRecord(own) ? own : undefined);
	for (const limit of LIMITS) take(limits, limit, `limits.${limit}`, sameText);
	if (Object.keys(limits).length > 0) init.limits = limits;
	return { init, problems };
}

/** One path a line: a path may hold any other character. */
function linesOf(text: string): readonly string[] {
	return text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "");
}

function sameText(text: string): string {
	return text;
}

import { realPath } from "../paths/real-path.js";
import { isAtOrBelow } from "../paths/segments.js";
import { describeValue } from "../text/describe-value.js";

/** A path that may be used, absolute and real, or the reason why not. */
export type PathVerdict = { readonly real: string; readonly reason?: never } | { readonly reason: string };

/** Longer ones and ones with control characters cannot be written into every kind of profile, so nothing is granted for them. */
const MAX_PATH_BYTES = 1000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;
const LONE_SURROGATES = /\p{Surrogate}/u;

/** Where `path` really leads, if it is fit to be granted. */
export function physicalPath(path: string): PathVerdict {
	const flaw = flawOf(path);
	if (flaw !== undefined) return { reason: flaw };
	if (/^~[^/]/.test(path)) return { reason: "the home directory of another user is not looked up; write the path out" };
	try {
		const real = realPath(path);
		const realFlaw = flawOf(real);
		return realFlaw === undefined ? { real } : { reason: `it leads to a place that cannot be granted: ${realFlaw}` };
	} catch (error) {
		return { reason: `nobody can tell where it leads (${(error as NodeJS.ErrnoException).code ?? String(error)})` };
	}
}

/** `path` as it may be granted below one of the real `roots`. */
export function grantPath(path: string, roots: readonly string[]): PathVerdict {
	const verdict = physicalPath(path);
	if (verdict.reason !== undefined || roots.some((root) => isAtOrBelow(verdict.real, root))) return verdict;
	const where = verdict.real === path ? "it" : `it leads to ${describeValue(verdict.real)}, which`;
	const beneath = roots.filter((root) => isAtOrBelow(root, verdict.real));
	if (beneath.length > 0) return { reason: `${where} contains what may be granted; ask for ${list(beneath)} itself` };
	return { reason: roots.length === 0 ? "nothing may be granted here" : `${where} is not below ${list(roots)}` };
}

const list = (roots: readonly string[]): string => roots.map(describeValue).join(" or ");

function flawOf(path: string): string | undefined {
	if (CONTROL_CHARACTERS.test(path)) return "it contains a control character";
	if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
	return LONE_SURROGATES.test(path) ? "it is not Unicode text" : undefined;
}

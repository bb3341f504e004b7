import { describeValue } from "../text/describe-value.js";
import { beginningOf } from "../text/well-formed.js";
import { type Finding, weightOf } from "./finding.js";
import type { ValidationMode } from "./validation-mode.js";

const MAX_NAME = 64;
/** Longer names are not rewritten for a message. */
const MAX_REWRITTEN = 1000;
const PLAIN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const STRANGE = /[^\p{L}\p{N}-]/u;
const ALL_STRANGE = /[^\p{L}\p{N}]+/gu;

/**
 * What the standard has against a name. Its reference validator looks at the composed form (NFKC), counts characters, and takes letters and
 * digits of every script that are no capitals.
 */
export function nameFindings(name: string, directoryName: string | undefined, mode: ValidationMode): readonly Finding[] {
	const isPlain = name.length <= MAX_NAME && PLAIN.test(name);
	if (isPlain && (directoryName === undefined || directoryName === name)) return [];
	const composed = name.normalize("NFKC");
	const flaws = isPlain ? [] : flawsOf(composed);
	const findings: Finding[] = [];
	if (flaws.length > 0) {
		findings.push({
			severity: weightOf(mode),
			code: "name_nonstandard",
			message: `The name ${describeValue(name)} ${flaws.join(", ")}; the Agent Skills standard has 1 to ${MAX_NAME} lower-case letters, digits and single hyphens between them.${better(composed)}`,
			key: "name",
		});
	}
	if (directoryName !== undefined && directoryName.normalize("NFKC") !== composed) {
		findings.push({
			severity: weightOf(mode),
			code: "name_differs_from_directory",
			message: `The name ${describeValue(name)} differs from that of its directory, ${describeValue(directoryName)}. Rename one of the two.`,
			key: "name",
		});
	}
	return findings;
}

function flawsOf(name: string): readonly string[] {
	const flaws: string[] = [];
	const length = [...name].length;
	if (length > MAX_NAME) flaws.push(`has ${length} characters`);
	if (name !== name.toLowerCase()) flaws.push("has capital letters");
	if (name.startsWith("-") || name.endsWith("-")) flaws.push("begins or ends with a hyphen");
	if (name.includes("--")) flaws.push("has hyphens in a row");
	if (STRANGE.test(name)) flaws.push("has other characters than letters, digits and hyphens");
	return flaws;
}

function better(name: string): string {
	const words = name
		.slice(0, MAX_REWRITTEN)
		.toLowerCase()
		.replaceAll(ALL_STRANGE, "-")
		.replaceAll(/^-+|-+$/g, "");
	const kept = beginningOf(words, MAX_NAME).replace(/-+$/, "");
	return kept === "" ? " Give it another one." : ` Write it as ${JSON.stringify(kept)}.`;
}

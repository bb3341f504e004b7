import { CAPABILITY_FIELDS, METADATA_PREFIX } from "../capability/declared-in-metadata.js";
import { describeValue, isList, isRecord } from "../text/describe-value.js";
import { nearestNames } from "../text/nearest-names.js";
import { type Finding, weightOf } from "./finding.js";
import type { ValidationMode } from "./validation-mode.js";

type Values = Readonly<Record<string, unknown>>;

/** The fields of the Agent Skills specification. */
const STANDARD_FIELDS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"] as const;
const KNOWN = new Set<string>([...STANDARD_FIELDS, ...CAPABILITY_FIELDS]);
const OWN = new Set(CAPABILITY_FIELDS.flatMap((field) => [field, field.replace(/_([a-z])/, (_, letter: string) => letter.toUpperCase())]));
const MAX_DESCRIPTION = 1024;
const MAX_COMPATIBILITY = 500;
const NONE: readonly Finding[] = Object.freeze([]);

/** What the standard has against the fields besides the name. A description must be there. */
export function fieldFindings(values: Values, mode: ValidationMode): readonly Finding[] {
	const findings: Finding[] = [];
	for (const key of Object.keys(values)) findings.push(...(RULES[key] ?? unknownField(key))(values[key], mode, key));
	return findings;
}

type Rule = (value: unknown, mode: ValidationMode, key: string) => readonly Finding[];

const RULES: Readonly<Record<string, Rule>> = Object.assign(Object.create(null) as Record<string, Rule>, {
	name: () => NONE,
	description: (value: unknown, mode: ValidationMode) => tooLong("description", value, MAX_DESCRIPTION, mode),
	license: notText,
	compatibility: (value: unknown, mode: ValidationMode) => [
		...notText(value, mode, "compatibility"),
		...(typeof value === "string" && value.trim() === "" ? empty("compatibility", mode) : NONE),
		...tooLong("compatibility", value, MAX_COMPATIBILITY, mode),
	],
	metadata: metadataFindings,
	"allowed-tools": toolFindings,
});

/** In characters, as the reference validator counts them. */
function tooLong(key: string, value: unknown, most: number, mode: ValidationMode): readonly Finding[] {
	if (typeof value !== "string" || value.length <= most) return NONE;
	const { length } = [...value];
	if (length <= most) return NONE;
	const message = `The ${key} has ${length} characters; the Agent Skills standard allows ${most}. Shorten it.`;
	return [{ severity: weightOf(mode), code: `${key}_long`, message, key }];
}

/** A field without a value says as little as one that is not there. */
function empty(key: string, mode: ValidationMode): readonly Finding[] {
	if (mode === "lenient") return NONE;
	return [malformed(key, mode, `${key}: has no value. Write one or take the line out.`)];
}

function notText(value: unknown, mode: ValidationMode, key: string): readonly Finding[] {
	if (typeof value === "string") return NONE;
	if (value === null) return empty(key, mode);
	return [malformed(key, mode, `${key}: ${describeValue(value)} is not a text${leftOut(mode)}. Put it in quotes.`)];
}

/** What becomes of the field. The strict refuse the bundle. */
const leftOut = (mode: ValidationMode): string => (mode === "strict" ? "" : "; it is left out");

function metadataFindings(value: unknown, mode: ValidationMode): readonly Finding[] {
	if (value === null) return empty("metadata", mode);
	if (!isRecord(value)) return [malformed("metadata", mode, `metadata: ${describeValue(value)} is not keys with values${leftOut(mode)}.`)];
	const unread = Object.keys(value).flatMap(unreadFindings);
	if (mode === "lenient") return unread;
	return Object.entries(value).flatMap(([below, entry]) => {
		if (typeof entry === "string") return unread.filter((finding) => finding.below === below);
		const message = `metadata: ${describeValue(below)} is ${describeValue(entry)}, not a text. Put it in quotes.`;
		return [{ ...malformed("metadata", mode, message), below }];
	});
}

const OURS = [...CAPABILITY_FIELDS.filter((field) => field !== "limits").map((field) => METADATA_PREFIX + field)];
/** What follows is a limit, or a script. */
const OUR_BEGINNINGS = [`${METADATA_PREFIX}limits.`, `${METADATA_PREFIX}parameters.`];

/** A key that looks like one of ours and is none: whoever wrote it believes that it does something. */
function unreadFindings(below: string): readonly Finding[] {
	const isOurs = OURS.includes(below) || OUR_BEGINNINGS.some((start) => below.startsWith(start));
	const isMeant = below.startsWith(METADATA_PREFIX) || below === "fs_read" || below === "fs_write";
	if (isOurs || !isMeant) return [];
	const [nearest] = nearestNames(below.startsWith(METADATA_PREFIX) ? below : METADATA_PREFIX + below, OURS, 1);
	const step = nearest === undefined ? `Those that are: ${OURS.join(", ")}.` : `Did you mean "${nearest}"?`;
	return [
		{
			severity: "warning",
			code: "field_unknown",
			message: `metadata: nothing is read from ${describeValue(below)}. ${step}`,
			key: "metadata",
			below,
		},
	];
}

function toolFindings(value: unknown, mode: ValidationMode, key: string): readonly Finding[] {
	if (value === null) return empty(key, mode);
	if (typeof value === "string") return mode === "strict" && hasCommas(value) ? [commas(key)] : NONE;
	if (!isList(value)) {
		const message = `${key}: ${describeValue(value)} is no text${leftOut(mode)}. Write the tools with blanks between them.`;
		return [malformed(key, mode, message)];
	}
	if (mode === "strict") return [malformed(key, mode, `${key}: is a list. Write the tools on one line, with blanks between them.`)];
	return value
		.filter((tool) => typeof tool !== "string")
		.map((tool) => malformed(key, mode, `${key}: ${describeValue(tool)} is not a text${leftOut(mode)}. Put it in quotes.`));
}

const hasCommas = (tools: string): boolean => /,\s|,$/.test(tools.replaceAll(/\([^)]*\)?/g, ""));

const commas = (key: string): Finding => ({
	severity: "warning",
	code: "field_malformed",
	message: `${key}: has commas between the tools. Part them by blanks alone.`,
	key,
});

const malformed = (key: string, mode: ValidationMode, message: string): Finding => ({
	severity: weightOf(mode),
	code: "field_malformed",
	message,
	key,
});

/** Other clients have fields of their own, which are no flaw to the lenient; one that is nearly one of ours is, since it does nothing. */
function unknownField(key: string): Rule {
	return (value, mode) => {
		if (OWN.has(key)) return mode === "strict" ? [extension(key, value)] : NONE;
		const [nearest] = nearestNames(key, KNOWN, 1);
		if (mode === "lenient" && (nearest === undefined || Math.abs(nearest.length - key.length) > 2)) return NONE;
		const step = nearest === undefined ? 'Move it into "metadata".' : `Did you mean "${nearest}"?`;
		const message = `${describeValue(key)} is no field of the Agent Skills standard, and nothing is read from it. ${step}`;
		return [{ severity: weightOf(mode), code: "field_unknown", message, key }];
	};
}

function extension(key: string, value: unknown): Finding {
	const field = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	const name =
		field === "limits" ? `${METADATA_PREFIX}limits.${isRecord(value) ? (Object.keys(value)[0] ?? "…") : "…"}` : METADATA_PREFIX + field;
	const how = field.startsWith("fs_") ? "one path a line" : "as a text in quotes";
	const message = `${key} is a field of Robot Lab and not of the Agent Skills standard. Other clients read the bundle, too, when it stands in metadata as ${name}, ${how}.`;
	return { severity: "warning", code: "field_extension", message, key };
}

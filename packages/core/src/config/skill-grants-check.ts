import { isAbsolute } from "node:path";
import { didYouMean } from "../text/nearest-names.js";
import { frozenCopy } from "../value/frozen-copy.js";
import { type Check, flawText, type Section, type WrongPart } from "./check.js";
import type { SkillGrant } from "./config.js";
import { GRANT_FIELDS } from "./grant-fields.js";
import { isPlainRecord } from "./is-plain-record.js";
import { snakeCase } from "./snake-case.js";

type Grants = Readonly<Record<string, SkillGrant>>;
type Spell = (name: string) => string;

const asInCode: Spell = (name) => name;

/** What one bundle is granted, as TypeScript spells it. */
export const skillGrant: Check = Object.assign((value: unknown) => flawIn(value, GRANT_FIELDS, asInCode, ""), {
	keep: (value: unknown): SkillGrant => frozenCopy(kept(value, GRANT_FIELDS, asInCode)),
});

/** Grants by the directories of bundles, whose fields are spelt so. */
function grantsSpelt(spell: Spell): Check {
	const check = (value: unknown): WrongPart | undefined => {
		if (!isPlainRecord(value)) return { part: "", flaw: "must be grants by the directories of skills" };
		for (const [directory, grant] of Object.entries(value)) {
			const part = `.${JSON.stringify(directory)}`;
			if (directory === "" || directory.includes("\0")) return { part, flaw: "is no directory of a skill" };
			const flaw = flawIn(grant ?? {}, GRANT_FIELDS, spell, part);
			if (flaw !== undefined) return flaw;
		}
		return undefined;
	};
	const keep = (value: unknown): Grants =>
		frozenCopy(Object.fromEntries(Object.entries(value as Grants).map(([key, grant]) => [key, kept(grant ?? {}, GRANT_FIELDS, spell)])));
	return Object.assign(check, { keep });
}

export const skillGrants: Check = Object.assign(grantsSpelt(asInCode), { inFiles: grantsSpelt(snakeCase) });

/** Directories that are the same wherever the process is: a relative one would grant to another bundle in every project. */
export const fixedGrants: Check = (value) => {
	const wrong = Object.keys(value as Grants).find((directory) => !isAbsolute(directory) && !/^~(\/|$)/.test(directory));
	if (wrong === undefined) return undefined;
	return { part: `.${JSON.stringify(wrong)}`, flaw: "must be an absolute path or one that begins with ~/" };
};

function flawIn(value: unknown, fields: Section, spell: Spell, part: string): WrongPart | undefined {
	const known = Object.keys(fields).map(spell);
	if (!isPlainRecord(value)) return { part, flaw: `must be a map with some of ${known.join(", ")}` };
	for (const [key, entry] of Object.entries(value)) {
		const rule = fields[Object.keys(fields)[known.indexOf(key)] ?? ""];
		if (rule === undefined)
			return { part, flaw: `has an unknown name ${JSON.stringify(key)}.${didYouMean(key, known)} Known: ${known.join(", ")}` };
		if (entry === undefined || entry === null) continue;
		const at = `${part}.${key}`;
		const flaw = typeof rule === "function" ? valueFlaw(entry, rule, at) : flawIn(entry, rule, spell, at);
		if (flaw !== undefined) return flaw;
	}
	return undefined;
}

function valueFlaw(value: unknown, check: Check, part: string): WrongPart | undefined {
	const text = flawText("", value, check);
	return text === undefined ? undefined : { part, flaw: text.trimStart() };
}

/** As TypeScript spells it, without what is left empty. */
function kept(value: unknown, fields: Section, spell: Spell): object {
	const given = value as Readonly<Record<string, unknown>>;
	return Object.fromEntries(
		Object.entries(fields).flatMap(([name, rule]) => {
			const entry = Object.hasOwn(given, spell(name)) ? given[spell(name)] : undefined;
			if (entry === undefined || entry === null) return [];
			return [[name, typeof rule === "function" ? entry : kept(entry, rule, spell)]];
		}),
	);
}

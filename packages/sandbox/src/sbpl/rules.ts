import { type Expression, headOf, type List, parseExpressions } from "./expressions.js";
import { acceptedFamilies } from "./filters/accepted-families.js";
import { allOf, anyOf, compileFilter } from "./filters/compile-filter.js";
import type { Filter } from "./filters/filter.js";
import { checkModifier } from "./modifiers.js";
import { operationOfRule } from "./operations.js";
import { ProfileError, short } from "./profile-error.js";
import { type ProfileParams, withTexts } from "./text-expressions.js";
import { whyRefused } from "./why-refused.js";

export interface Rule {
	readonly allowed: boolean;
	readonly operations: ReadonlySet<string>;
	/** Absent: the rule sets what its operations do where nothing more particular applies. */
	readonly filter: Filter | undefined;
	/** The rule as it stands in the profile, without a `with-filter` around it. */
	readonly text: string;
}

/** What the reader of a rule has to know besides the rule. */
interface Context {
	readonly profile: string;
	readonly params: ProfileParams;
	/** The conditions of every `with-filter` around the rule. */
	readonly around: readonly Filter[];
}

/** The rules of a profile in source order. Throws a {@link ProfileError} for anything it does not understand. */
export function compileRules(profile: string, params: ProfileParams): readonly Rule[] {
	const [version, ...lists] = parseExpressions(profile);
	if (version === undefined || headOf(version) !== "version") {
		throw new ProfileError("profile_syntax", "a profile starts with (version 1)", version?.line ?? 1);
	}
	checkVersion(version);
	return lists.flatMap((list) => rulesOf(list, { profile, params, around: [] }));
}

function checkVersion(list: List): void {
	const [, version, ...more] = list.items;
	if (version?.kind !== "number" || version.value !== 1 || more.length > 0) {
		throw new ProfileError("profile_unsupported", "only (version 1) is understood", list.line);
	}
}

function rulesOf(list: List, context: Context): readonly Rule[] {
	const head = headOf(list);
	if (head === "allow" || head === "deny") return [compileRule(list, head === "allow", context)];
	if (head === "with-filter") return rulesWithin(list, context);
	// It once chose what is logged, and still stands in profiles.
	if (head === "debug") return [];
	const why = whyRefused(head) ?? `(${short(head)} …) is not understood: a profile here is made of version, allow, deny and with-filter`;
	throw new ProfileError("profile_unsupported", why, list.line);
}

function rulesWithin(list: List, context: Context): readonly Rule[] {
	const [filter, ...bodies] = list.items.slice(1);
	if (filter === undefined) throw new ProfileError("profile_syntax", "(with-filter …) needs a filter", list.line);
	const around = [...context.around, compileFilter(withTexts(filter, context.params))];
	return bodies.flatMap((body) => {
		if (body.kind !== "list") throw new ProfileError("profile_syntax", "(with-filter …) holds a filter and rules", body.line);
		return rulesOf(body, { ...context, around });
	});
}

function compileRule(list: List, allowed: boolean, context: Context): Rule {
	const names: string[] = [];
	const filters: Filter[] = [];
	const modifiers: List[] = [];
	for (const expression of list.items.slice(1)) {
		const item = withTexts(expression, context.params);
		if (item.kind === "symbol") names.push(item.value);
		else if (isModifier(item)) modifiers.push(item);
		else filters.push(compileFilter(item));
	}
	if (names.length === 0) throw new ProfileError("profile_syntax", "a rule names no operation", list.line);
	const operations = new Set(names.map((name) => knownOperation(name, list.line)));
	operations.delete("without effect");
	const conditions = filters.length === 0 ? context.around : [anyOf(filters), ...context.around];
	for (const operation of operations) checkFamilies(operation, conditions, list.line);
	for (const modifier of modifiers) checkModifier(modifier, operations);
	const text = context.profile.slice(list.start, list.end);
	return { allowed, operations, filter: conditions.length === 0 ? undefined : allOf(conditions), text };
}

const isModifier = (item: Expression): item is List => item.kind === "list" && headOf(item) === "with";

function knownOperation(name: string, line: number): string {
	const operation = operationOfRule(name);
	if (operation === undefined) throw new ProfileError("profile_unsupported", `the operation ${short(name)} is not known`, line);
	return operation;
}

function checkFamilies(operation: string, filters: readonly Filter[], line: number): void {
	const accepted = acceptedFamilies(operation);
	for (const family of filters.flatMap((filter) => [...filter.families])) {
		if (!accepted.has(family)) throw new ProfileError("profile_syntax", `${operation} takes no filter of the family ${family}`, line);
	}
}

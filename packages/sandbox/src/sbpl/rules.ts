import { type Expression, headOf, type List, parseExpressions } from "./expressions.js";
import { acceptedFamilies } from "./filters/accepted-families.js";
import { anyOf, compileFilter } from "./filters/compile-filter.js";
import type { Filter } from "./filters/filter.js";
import { checkModifier } from "./modifiers.js";
import { operationOfRule } from "./operations.js";
import { ProfileError } from "./profile-error.js";

export interface Rule {
	readonly allowed: boolean;
	readonly operations: ReadonlySet<string>;
	/** Absent: the rule sets what its operations do where nothing more particular applies. */
	readonly filter: Filter | undefined;
	/** The rule as it stands in the profile. */
	readonly text: string;
}

/** The rules of a profile in source order. Throws a {@link ProfileError} for anything it does not understand. */
export function compileRules(profile: string): readonly Rule[] {
	const [version, ...lists] = parseExpressions(profile);
	if (version === undefined || headOf(version) !== "version") {
		throw new ProfileError("profile_syntax", "a profile starts with (version 1)", version?.line ?? 1);
	}
	checkVersion(version);
	return lists.flatMap((list) => ruleOf(list, profile) ?? []);
}

function checkVersion(list: List): void {
	const [, version, ...more] = list.items;
	if (version?.kind !== "number" || version.value !== 1 || more.length > 0) {
		throw new ProfileError("profile_unsupported", "only (version 1) is understood", list.line);
	}
}

function ruleOf(list: List, profile: string): Rule | undefined {
	const head = headOf(list);
	if (head === "allow" || head === "deny") return compileRule(list, head === "allow", profile.slice(list.start, list.end));
	// It once chose what is logged, and still stands in profiles.
	if (head === "debug") return undefined;
	throw new ProfileError(
		"profile_unsupported",
		`(${head} …) is not understood: a profile here is made of version, allow and deny`,
		list.line,
	);
}

function compileRule(list: List, allowed: boolean, text: string): Rule {
	const names: string[] = [];
	const filters: Filter[] = [];
	const modifiers: List[] = [];
	for (const item of list.items.slice(1)) {
		if (item.kind === "symbol") names.push(item.value);
		else if (isModifier(item)) modifiers.push(item);
		else filters.push(compileFilter(item));
	}
	if (names.length === 0) throw new ProfileError("profile_syntax", "a rule names no operation", list.line);
	const operations = new Set(names.map((name) => knownOperation(name, list.line)));
	operations.delete("without effect");
	for (const operation of operations) checkFamilies(operation, filters, list.line);
	for (const modifier of modifiers) checkModifier(modifier, operations);
	return { allowed, operations, filter: filters.length === 0 ? undefined : anyOf(filters), text };
}

const isModifier = (item: Expression): item is List => item.kind === "list" && headOf(item) === "with";

function knownOperation(name: string, line: number): string {
	const operation = operationOfRule(name);
	if (operation === undefined) throw new ProfileError("profile_unsupported", `the operation ${name} is not known`, line);
	return operation;
}

function checkFamilies(operation: string, filters: readonly Filter[], line: number): void {
	const accepted = acceptedFamilies(operation);
	for (const family of filters.flatMap((filter) => [...filter.families])) {
		if (!accepted.has(family)) throw new ProfileError("profile_syntax", `${operation} takes no filter of the family ${family}`, line);
	}
}

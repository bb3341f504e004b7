import { checkEndpoints } from "./filters/address-filters.js";
import { OPERATIONS, operationOfQuery } from "./operations.js";
import { ProfileError, quoted, short } from "./profile-error.js";
import type { ProfileQuery } from "./query.js";
import { compileRules, type Rule } from "./rules.js";
import type { ProfileParams } from "./text-expressions.js";

/** What a profile decides. */
export interface ProfileDecision {
	readonly allowed: boolean;
	/** The rule that decides, as it stands in the profile; where none does, the built-in answer of an operation. */
	readonly rule: string;
}

/** Answers questions about one profile. Throws a {@link ProfileError} for an operation it does not know and for a question that says too little. */
export type ProfileEvaluator = (operation: string, query?: ProfileQuery) => ProfileDecision;

/** The rules that name one operation. */
interface OwnRules {
	/** Last first: the last one that matches decides. */
	readonly filtered: readonly Rule[];
	readonly unfiltered: Rule | undefined;
}

/** How a profile is read. */
export interface ProfileOptions {
	/** What `(param "NAME")` stands for. Default: nothing, and a profile that asks for a parameter is refused. */
	readonly params?: ProfileParams;
}

/**
 * Reads a macOS sandbox profile and answers what it allows, on any platform.
 *
 * An operation asks its own rules: the last filtered one that matches, else the last unfiltered one. Where it has neither, it asks
 * the operation it falls back on; some fall back on nothing and have a built-in answer, which for a few is "allowed" even under
 * `(deny default)`.
 *
 * Understood are `version`, `allow`, `deny`, `with-filter`, `debug` (which does nothing), `param` and `string-append`, the
 * operations of macOS 10.15, filters and modifiers. Refused, with its line, is all that a Scheme interpreter would have to run
 * (`define`, `let`, `if`, … and functions made by them), `import`, operations, filters and modifiers that only other systems have,
 * and regular expressions with more than literals, `.`, brackets, groups, `|`, `*`, `+`, `?`, `^` and `$`. Those are matched against
 * the bytes of UTF-8, in time linear in the text.
 *
 * @throws ProfileError for everything macOS would refuse to compile and everything whose meaning is not known here.
 */
export function evaluateProfile(profile: string, { params = {} }: ProfileOptions = {}): ProfileEvaluator {
	if (typeof profile !== "string") throw new ProfileError("profile_syntax", `a profile is a text, not ${String(profile)}`);
	const rulesOf = groupByOperation(compileRules(profile, params));
	return (name, query = {}) => {
		const operation = operationOfQuery(name);
		if (operation === undefined) throw new ProfileError("profile_query", `the operation ${short(name)} is not known`);
		checkQuery(query);
		return decide(operation, query, rulesOf);
	};
}

function decide(operation: string, query: ProfileQuery, rulesOf: ReadonlyMap<string, OwnRules>): ProfileDecision {
	for (let asked = operation; ; ) {
		const rule = ownDecision(asked, query, rulesOf.get(asked));
		if (rule !== undefined) return { allowed: rule.allowed, rule: rule.text };
		const last = OPERATIONS.get(asked);
		if (last === undefined || last.terminal) {
			const allowed = last?.allowed ?? false;
			return { allowed, rule: `built-in: ${asked} is ${allowed ? "allowed" : "denied"} unless a rule names it` };
		}
		asked = last.fallback;
	}
}

function ownDecision(operation: string, query: ProfileQuery, own: OwnRules | undefined): Rule | undefined {
	for (const rule of own?.filtered ?? []) {
		const matches = rule.filter?.matches(query) ?? false;
		if (matches === true) return rule;
		if (matches !== false) {
			throw new ProfileError(
				"profile_query",
				`whether ${operation} is allowed depends on ${matches}, which the question does not give: ${rule.text}`,
			);
		}
	}
	return own?.unfiltered;
}

function groupByOperation(rules: readonly Rule[]): ReadonlyMap<string, OwnRules> {
	const groups = new Map<string, { filtered: Rule[]; unfiltered: Rule | undefined }>();
	for (const rule of rules) {
		for (const operation of rule.operations) {
			const group = groups.get(operation) ?? { filtered: [], unfiltered: undefined };
			groups.set(operation, group);
			if (rule.filter === undefined) group.unfiltered = rule;
			else group.filtered.push(rule);
		}
	}
	for (const { filtered } of groups.values()) filtered.reverse();
	return groups;
}

function checkQuery(query: ProfileQuery): void {
	const { path } = query;
	if (path !== undefined && path !== "/" && !isKernelPath(path)) {
		throw new ProfileError(
			"profile_query",
			`${quoted(path)} is no path as the kernel sees one: absolute, without empty, . and .. segments`,
		);
	}
	checkEndpoints(query);
}

function isKernelPath(path: string): boolean {
	const [root, ...segments] = path.split("/");
	return root === "" && segments.length > 0 && segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

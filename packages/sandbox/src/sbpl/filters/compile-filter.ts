import { type Expression, headOf, type List } from "../expressions.js";
import { ProfileError } from "../profile-error.js";
import { all, any, not, type Truth } from "../truth.js";
import { addressFilter } from "./address-filters.js";
import { argumentsOf, type Filter } from "./filter.js";
import { kindFilter } from "./kind-filters.js";
import { extensionFilter, textFilter } from "./text-filters.js";

const READERS = [textFilter, kindFilter, addressFilter, extensionFilter];

/** One condition of a rule. Throws a {@link ProfileError} for a filter that is not known. */
export function compileFilter(expression: Expression): Filter {
	if (expression.kind !== "list")
		throw new ProfileError("profile_syntax", `${JSON.stringify(expression.value)} is no filter`, expression.line);
	const head = headOf(expression);
	if (head === "require-all") return combined(filtersIn(expression, head), all);
	if (head === "require-any") return combined(filtersIn(expression, head), any);
	if (head === "require-not") return negated(expression);
	for (const read of READERS) {
		const filter = read(head, expression);
		if (filter !== undefined) return filter;
	}
	throw new ProfileError("profile_unsupported", `the filter ${head} is not known`, expression.line);
}

/** Several filters side by side: one of them has to match. */
export const anyOf = (filters: readonly Filter[]): Filter => combined(filters, any);

const filtersIn = (list: List, head: string): readonly Filter[] => argumentsOf(list, head).map(compileFilter);

function negated(list: List): Filter {
	const [filter, ...more] = filtersIn(list, "require-not");
	if (filter === undefined || more.length > 0) throw new ProfileError("profile_syntax", "(require-not …) takes one filter", list.line);
	return { families: filter.families, matches: (query) => not(filter.matches(query)) };
}

function combined(filters: readonly Filter[], combine: (truths: Iterable<Truth>) => Truth): Filter {
	return {
		families: new Set(filters.flatMap((filter) => [...filter.families])),
		matches: (query) => combine(filters.map((filter) => filter.matches(query))),
	};
}

import { type Expression, headOf, type List } from "../expressions.js";
import { ProfileError, quoted, short } from "../profile-error.js";
import type { ProfileQuery } from "../query.js";
import { all, any, not, type Truth } from "../truth.js";
import { whyRefused } from "../why-refused.js";
import { addressFilter, isUnixSocketFilter } from "./address-filters.js";
import { argumentsOf, type Filter, filterOf } from "./filter.js";
import { kindFilter } from "./kind-filters.js";
import { extensionFilter, textFilter } from "./text-filters.js";

const READERS = [textFilter, kindFilter, addressFilter, extensionFilter];

/** One condition of a rule. Throws a {@link ProfileError} for a filter that is not known. */
export function compileFilter(expression: Expression): Filter {
	if (expression.kind !== "list")
		throw new ProfileError("profile_syntax", `${quoted(String(expression.value))} is no filter`, expression.line);
	const head = headOf(expression);
	if (head === "require-all") return combined(filtersIn(expression, head), all);
	if (head === "require-any") return combined(filtersIn(expression, head), any);
	if (head === "require-not") return negated(expression);
	if (isUnixSocketFilter(expression)) return unixSocketFilter(expression);
	for (const read of READERS) {
		const filter = read(head, expression);
		if (filter !== undefined) return filter;
	}
	const why = whyRefused(head) ?? `the filter ${short(head)} is not known; what a function of the profile makes has to be written out`;
	throw new ProfileError("profile_unsupported", why, expression.line);
}

/** Several filters side by side: one of them has to match. */
export const anyOf = (filters: readonly Filter[]): Filter => combined(filters, any);

/** Several filters that all have to match. */
export const allOf = (filters: readonly Filter[]): Filter => combined(filters, all);

const filtersIn = (list: List, head: string): readonly Filter[] => argumentsOf(list, head).map(compileFilter);

function negated(list: List): Filter {
	const [filter, ...more] = filtersIn(list, "require-not");
	if (filter === undefined || more.length > 0) throw new ProfileError("profile_syntax", "(require-not …) takes one filter", list.line);
	return { families: filter.families, matches: (query) => not(filter.matches(query)) };
}

function combined(filters: readonly Filter[], combine: (truths: Iterable<Truth>) => Truth): Filter {
	return {
		families: new Set(filters.flatMap((filter) => [...filter.families])),
		matches: (query) => combine(truthsOf(filters, query)),
	};
}

/** `(remote unix-socket)` is any socket with a path; `(remote unix-socket (path-literal …))` is the older way to write `(literal …)`. */
function unixSocketFilter(list: List): Filter {
	const filters = list.items.slice(2).map(compileFilter);
	const isSocket = filterOf("network", (query) => {
		if (query.path !== undefined) return true;
		return query.remote === undefined && query.local === undefined ? "path" : false;
	});
	return filters.length === 0 ? isSocket : allOf([isSocket, anyOf(filters)]);
}

/** One at a time: what decides already spares the rest. */
function* truthsOf(filters: readonly Filter[], query: ProfileQuery): Generator<Truth> {
	for (const filter of filters) yield filter.matches(query);
}

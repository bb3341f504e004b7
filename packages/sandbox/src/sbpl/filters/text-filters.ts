import type { List } from "../expressions.js";
import { compilePattern } from "../pattern/compile-pattern.js";
import { ProfileError } from "../profile-error.js";
import type { ProfileQuery } from "../query.js";
import { any, type Truth } from "../truth.js";
import { type Filter, type FilterFamily, filterOf, stringsOf } from "./filter.js";

type TextAttribute = "path" | "name" | "localName" | "xpcServiceName" | "controlName" | "processPath";
type Comparison = (values: readonly string[], line: number) => (text: string) => boolean;

/** How a text attribute is read: a question about a connection by address has no path, one about a global name no local name. */
const INSTEAD_OF: Readonly<Record<TextAttribute, readonly (keyof ProfileQuery)[]>> = {
	path: ["remote", "local"],
	name: ["localName", "xpcServiceName"],
	localName: ["name", "xpcServiceName"],
	xpcServiceName: ["name", "localName"],
	controlName: ["remote", "local", "path"],
	processPath: [],
};

function read(query: ProfileQuery, attribute: TextAttribute, matches: (text: string) => boolean): Truth {
	const text = query[attribute];
	if (text !== undefined) return matches(text);
	return INSTEAD_OF[attribute].some((other) => query[other] !== undefined) ? false : attribute;
}

const equal: Comparison = (values) => (text) => values.includes(text);
const prefix: Comparison = (values) => (text) => values.some((value) => text.startsWith(value));
const regex: Comparison = (values, line) => {
	const patterns = values.map((value) => compilePattern(value, line));
	return (text) => patterns.some((isFound) => isFound(text));
};
const subpath: Comparison = (values) => (text) => values.some((root) => text === root || text.startsWith(root === "/" ? "/" : `${root}/`));
const ancestors: Comparison = (values, line) => {
	const literals = new Set(values.flatMap((path) => ancestorsOf(path, line)));
	return (text) => literals.has(text);
};

function ancestorsOf(path: string, line: number): string[] {
	if (!path.startsWith("/")) throw new ProfileError("profile_syntax", "(path-ancestors …) takes absolute paths", line);
	const segments = path.split("/").slice(1, -1);
	return ["/", ...segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`)];
}

/** Filters that compare text, by head. */
const TEXT_FILTERS: ReadonlyMap<string, readonly [FilterFamily, TextAttribute, Comparison]> = new Map([
	...["literal", "path", "path-literal"].map((head) => [head, ["path", "path", equal]] as const),
	...["prefix", "path-prefix"].map((head) => [head, ["path", "path", prefix]] as const),
	...["regex", "path-regex"].map((head) => [head, ["path", "path", regex]] as const),
	["subpath", ["path", "path", subpath]] as const,
	["path-ancestors", ["path", "path", ancestors]] as const,
	...named("global-name", "mach", "name"),
	...named("local-name", "mach", "localName"),
	...named("xpc-service-name", "mach", "xpcServiceName"),
	...named("sysctl-name", "sysctl", "name"),
	...named("ipc-posix-name", "posix-ipc", "name"),
	...named("iokit-registry-entry-class", "iokit", "name"),
	...named("iokit-user-client-class", "iokit", "name"),
	...named("preference-domain", "preference", "name"),
	...named("control-name", "network", "controlName"),
	...(["right-name", "notification-name", "appleevent-destination", "nvram-variable", "kext-bundle-id", "info-type"] as const).flatMap(
		(head) => named(head, head, "name"),
	),
	...named("process-path", "process", "processPath"),
]);

function named(
	head: string,
	family: FilterFamily,
	attribute: TextAttribute,
): (readonly [string, readonly [FilterFamily, TextAttribute, Comparison]])[] {
	return [
		[head, [family, attribute, equal]],
		[`${head}-prefix`, [family, attribute, prefix]],
		[`${head}-regex`, [family, attribute, regex]],
	];
}

/** The filter, when `head` is one that compares text. */
export function textFilter(head: string, list: List): Filter | undefined {
	const known = TEXT_FILTERS.get(head);
	if (known === undefined) return undefined;
	const [family, attribute, compare] = known;
	const matches = compare(stringsOf(list, head), list.line);
	return filterOf(family, (query) => read(query, attribute, matches));
}

/** Filters on what a process holds: nothing, unless the question says otherwise. */
export function extensionFilter(head: string, list: List): Filter | undefined {
	if (head !== "extension" && head !== "mach-extension" && head !== "granted-extensions") return undefined;
	const names = stringsOf(list, head);
	return filterOf("extension", (query) => any((query.extensions ?? []).map((held) => names.includes(held))));
}

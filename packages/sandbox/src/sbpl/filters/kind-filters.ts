import type { Expression, List } from "../expressions.js";
import { ProfileError } from "../profile-error.js";
import type { ProfileQuery, QueryAttribute } from "../query.js";
import { argumentsOf, type Filter, type FilterFamily, filterOf } from "./filter.js";

interface Kind {
	readonly family: FilterFamily;
	readonly attribute: QueryAttribute;
	/** The symbols it takes; absent: numbers. */
	readonly symbols?: readonly string[];
}

/** Filters that compare one of a few fixed words or a number, by head. */
const KINDS: Readonly<Record<string, Kind>> = {
	"vnode-type": {
		family: "vnode-type",
		attribute: "vnodeType",
		symbols: ["REGULAR-FILE", "DIRECTORY", "BLOCK-DEVICE", "CHARACTER-DEVICE", "SYMLINK", "SOCKET", "FIFO", "TTY"],
	},
	target: { family: "target", attribute: "target", symbols: ["self", "pgrp", "others", "children", "same-sandbox", "initproc"] },
	"socket-domain": {
		family: "socket",
		attribute: "socketDomain",
		symbols: ["AF_UNSPEC", "AF_UNIX", "AF_LOCAL", "AF_INET", "AF_INET6", "AF_ROUTE", "AF_SYSTEM"],
	},
	"socket-type": {
		family: "socket",
		attribute: "socketType",
		symbols: ["SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW", "SOCK_RDM", "SOCK_SEQPACKET"],
	},
	"socket-protocol": { family: "socket", attribute: "socketProtocol" },
	"file-mode": { family: "file-mode", attribute: "fileMode" },
};

function wantedValue(value: Expression, head: string, kind: Kind): string | number {
	if (kind.symbols === undefined && value.kind === "number") return value.value;
	if (value.kind === "symbol" && kind.symbols?.includes(value.value)) return value.value;
	throw new ProfileError("profile_unsupported", `(${head} …) takes ${kind.symbols?.join(", ") ?? "numbers"}`, value.line);
}

/** A mode filter asks for bits, a terminal is a character device too; everything else is equality. */
function agrees(head: string, wanted: string | number, actual: unknown): boolean {
	if (head === "file-mode") return typeof wanted === "number" && (Number(actual) & wanted) === wanted;
	if (wanted === "CHARACTER-DEVICE" && actual === "TTY") return true;
	return wanted === actual;
}

/** The filter, when `head` is one that compares a fixed word or a number. `(tty)` is `(vnode-type TTY)`. */
export function kindFilter(head: string, list: List): Filter | undefined {
	if (head === "tty" && list.items.length === 1)
		return filterOf("vnode-type", (query) => compare("vnode-type", "vnodeType", ["TTY"], query));
	const kind = Object.hasOwn(KINDS, head) ? KINDS[head] : undefined;
	if (kind === undefined) return undefined;
	const wanted = argumentsOf(list, head).map((value) => wantedValue(value, head, kind));
	return filterOf(kind.family, (query) => compare(head, kind.attribute, wanted, query));
}

function compare(
	head: string,
	attribute: QueryAttribute,
	wanted: readonly (string | number)[],
	query: ProfileQuery,
): boolean | QueryAttribute {
	const actual = query[attribute];
	return actual === undefined ? attribute : wanted.some((value) => agrees(head, value, actual));
}

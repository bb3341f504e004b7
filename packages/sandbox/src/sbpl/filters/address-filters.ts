import { isIPv4, isIPv6 } from "node:net";
import type { List } from "../expressions.js";
import { ProfileError, quoted } from "../profile-error.js";
import type { ProfileQuery } from "../query.js";
import { type Filter, filterOf } from "./filter.js";

interface Endpoint {
	readonly transport: "tcp" | "udp";
	readonly family: 4 | 6;
	readonly loopback: boolean;
	readonly port: number;
}

const SIDES: Readonly<Record<string, "local" | "remote">> = { local: "local", from: "local", remote: "remote", to: "remote" };
const PROTOCOL = /^(ip|tcp|udp)([46])?$/;
const FILTER_ADDRESS = /^(\*|localhost):(\*|\d{1,5})$/;
const QUERY_ADDRESS = /^(?:(tcp|udp):\/\/)?(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/;
/** An IPv4 address written as IPv6 is not `localhost`, unlike 127.0.0.1 and ::1. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);
const MAX_PORT = 65_535;

/** Whether a filter is about an end of a connection without an address: `(remote unix-socket …)`. */
export function isUnixSocketFilter(list: List): boolean {
	const [head, kind] = list.items;
	const isSide = head?.kind === "symbol" && Object.hasOwn(SIDES, head.value);
	return isSide && kind?.kind === "symbol" && (kind.value === "unix-socket" || kind.value === "unix");
}

/** The filter, when `head` is about an end of a connection: `(remote ip)`, `(local tcp "localhost:8080")`, … */
export function addressFilter(head: string, list: List): Filter | undefined {
	const side = Object.hasOwn(SIDES, head) ? SIDES[head] : undefined;
	if (side === undefined) return undefined;
	const [protocol, ...addresses] = list.items.slice(1);
	const [, transport, family] = (protocol?.kind === "symbol" && PROTOCOL.exec(protocol.value)) || [];
	if (transport === undefined)
		throw new ProfileError("profile_unsupported", `(${head} …) takes ip, tcp or udp, with or without 4 or 6, or unix-socket`, list.line);
	const accepts = addresses.map((address) => {
		if (address.kind !== "string") throw new ProfileError("profile_syntax", `(${head} ${transport} …) takes strings`, list.line);
		return addressMatcher(address.value, list.line);
	});
	return filterOf("network", (query) => {
		const text = query[side];
		if (text === undefined) return query.path === undefined ? side : false;
		const end = endpointOf(text);
		const rightKind = (transport === "ip" || transport === end.transport) && (family === undefined || Number(family) === end.family);
		return rightKind && (accepts.length === 0 || accepts.some((accept) => accept(end)));
	});
}

function addressMatcher(address: string, line: number): (end: Endpoint) => boolean {
	const [, host, port] = FILTER_ADDRESS.exec(address) ?? [];
	if (host === undefined || port === undefined || (port !== "*" && Number(port) > MAX_PORT)) {
		throw new ProfileError("profile_syntax", `${quoted(address)}: a host is * or localhost and a port is a number or *`, line);
	}
	return (end) => (host === "*" || end.loopback) && (port === "*" || Number(port) === end.port);
}

/** Reads one end of a connection as a question gives it. Throws a {@link ProfileError} for a name: the kernel sees addresses only. */
function endpointOf(text: string): Endpoint {
	const [, transport, bracketed, plain, port] = QUERY_ADDRESS.exec(text) ?? [];
	const host = bracketed ?? plain ?? "";
	const family = isIPv6(host) ? 6 : isIPv4(host) || host === "localhost" ? 4 : undefined;
	if (family === undefined || Number(port) > MAX_PORT) {
		throw new ProfileError("profile_query", `${quoted(text)} is no "HOST:PORT" whose HOST is an IP address or localhost`);
	}
	return { transport: transport === "udp" ? "udp" : "tcp", family, loopback: LOOPBACK.has(host), port: Number(port) };
}

/** Refuses a malformed end of a connection even where no filter would have looked at it. */
export function checkEndpoints(query: ProfileQuery): void {
	for (const end of [query.local, query.remote]) if (end !== undefined) endpointOf(end);
}

import { didYouMean } from "../text/nearest-names.js";
import { isProviderSafeName } from "../text/provider-safe-name.js";
import { MAX_TIMEOUT_MS } from "../value/longest-timer.js";
import { isPlainRecord } from "./is-plain-record.js";
import type { McpServerOptions } from "./mcp-server-options.js";

const COMMON = ["description", "timeoutMs", "connectTimeoutMs"];
const OF_PROGRAM = ["command", "args", "env", "envPass", "cwd", ...COMMON];
const OF_ADDRESS = ["url", "transport", "headers", ...COMMON];

/** Every option that some server may be given. */
export const MCP_SERVER_OPTION_NAMES: readonly string[] = [...new Set([...OF_PROGRAM, ...OF_ADDRESS])];

type Check = readonly [isRight: (value: unknown) => boolean, wanted: string];

const text: Check = [(value) => typeof value === "string" && value !== "" && !value.includes("\0"), "a text"];
const milliseconds: Check = [
	(value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TIMEOUT_MS,
	`a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`,
];
const texts: Check = [(value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"), "a list of texts"];
const textsByName: Check = [
	(value) => isPlainRecord(value) && Object.values(value).every((entry) => typeof entry === "string"),
	"texts by their names",
];

const CHECKS: Readonly<Record<string, Check>> = {
	description: [(value) => typeof value === "string", "a text"],
	timeoutMs: milliseconds,
	connectTimeoutMs: milliseconds,
	command: text,
	args: texts,
	env: textsByName,
	envPass: texts,
	cwd: text,
	url: [isWebAddress, "an http: or https: address without a user name or password"],
	transport: [(value) => value === "http" || value === "sse", '"http" or "sse"'],
	headers: textsByName,
};

/** What is wrong with the options of a server. No value stands in it: that may be a key, or an address with one. */
export interface McpServerFlaw {
	/** Absent where it is not about one option alone. */
	readonly option?: string;
	/** Goes on behind the server's name, or the option's: "must be a list of texts". */
	readonly text: string;
}

/**
 * What is wrong with how a server is to be reached; nothing when it is right.
 *
 * @param spell How its writer spells an option. Default: as TypeScript does.
 */
export function mcpServerFlaw(options: unknown, spell: (name: string) => string = (name) => name): McpServerFlaw | undefined {
	if (!isPlainRecord(options)) return { text: "must be given as { command } or { url }" };
	const isProgram = Object.hasOwn(options, "command");
	if (isProgram === Object.hasOwn(options, "url")) {
		return { text: "needs either a command, to be started here, or the url at which it is reached" };
	}
	const known = isProgram ? OF_PROGRAM : OF_ADDRESS;
	const spelt = known.map(spell);
	const unknown = Object.keys(options).find((key) => !spelt.includes(key));
	if (unknown !== undefined) {
		return { text: `has an unknown option ${JSON.stringify(unknown)}.${didYouMean(unknown, spelt)} Known: ${spelt.join(", ")}` };
	}
	const wrong = known.find((name) => options[spell(name)] !== undefined && !(CHECKS[name] ?? text)[0](options[spell(name)]));
	return wrong === undefined ? undefined : { option: spell(wrong), text: `must be ${(CHECKS[wrong] ?? text)[1]}` };
}

/** What is wrong with the name of a server, behind that name; nothing when it is right. */
export const mcpNameFlaw = (name: string): string | undefined =>
	isProviderSafeName(name) ? undefined : 'cannot be the name of an MCP server: give 1 to 64 letters, digits, "_" or "-"';

/** A copy of options that are right, as plain data. */
export function copiedServer(options: McpServerOptions): McpServerOptions {
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	return structuredClone(Object.fromEntries(given.map(([key, value]) => [key, value instanceof URL ? value.href : value]))) as never;
}

function isWebAddress(value: unknown): boolean {
	if (typeof value !== "string" && !(value instanceof URL)) return false;
	const url = URL.parse(String(value));
	return url !== null && ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "";
}

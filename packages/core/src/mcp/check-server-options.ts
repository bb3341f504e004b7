import { ConfigurationError } from "../errors/configuration-error.js";
import { describeValue } from "../text/describe-value.js";
import { didYouMean } from "../text/nearest-names.js";
import type { McpServerOptions } from "./server-options.js";

const COMMON = ["description", "timeoutMs", "connectTimeoutMs"];
const OF_PROGRAM = ["command", "args", "env", "envPass", "cwd", ...COMMON];
const OF_ADDRESS = ["url", "transport", "headers", ...COMMON];
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Fields = Readonly<Record<string, unknown>>;
type Check = readonly [isRight: (value: unknown) => boolean, wanted: string];

const text: Check = [(value) => typeof value === "string" && value !== "" && !value.includes("\0"), "a text"];
const milliseconds: Check = [
	(value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= LONGEST_TIMER_MS,
	`a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}`,
];
const texts: Check = [(value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"), "a list of texts"];
const textsByName: Check = [
	(value) => isRecord(value) && Object.values(value).every((entry) => typeof entry === "string"),
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

/** Gives a copy of the options, or throws a ConfigurationError that names the server, the option and what it should be. */
export function checkServerOptions(name: string, options: unknown): McpServerOptions {
	const where = `The MCP server ${describeValue(name)}`;
	if (!isRecord(options)) throw new ConfigurationError(`${where} must be given as { command } or { url }, got ${describeValue(options)}.`);
	if ("command" in options === "url" in options) {
		throw new ConfigurationError(`${where} needs either a command, to be started here, or the url at which it is reached.`);
	}
	const known = "command" in options ? OF_PROGRAM : OF_ADDRESS;
	const unknown = Object.keys(options).find((key) => !known.includes(key));
	if (unknown !== undefined) {
		throw new ConfigurationError(`${where} has an unknown option "${unknown}".${didYouMean(unknown, known)} Known: ${known.join(", ")}.`);
	}
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	for (const [key, value] of given) {
		const [isRight, wanted] = CHECKS[key] ?? text;
		// The value is not shown: it may be a key or an address with one.
		if (!isRight(value)) throw new ConfigurationError(`${where}: ${key} must be ${wanted}.`);
	}
	return structuredClone(Object.fromEntries(given.map(([key, value]) => [key, value instanceof URL ? value.href : value]))) as never;
}

function isWebAddress(value: unknown): boolean {
	if (typeof value !== "string" && !(value instanceof URL)) return false;
	const url = URL.parse(String(value));
	return url !== null && ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "";
}

const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

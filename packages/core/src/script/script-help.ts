import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { stripVTControlCharacters } from "node:util";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkMs, checkNames, checkSignal } from "../options/check-options.js";
import { anySignal } from "../process/any-signal.js";
import { describeValue } from "../text/describe-value.js";
import { seenText } from "../text/seen-text.js";
import { shorten } from "../text/shorten.js";
import type { Tool } from "../tool/tool.js";
import { HELP_REQUEST } from "./help-request.js";
import { type ScriptSource, scriptSourceOf } from "./script-source.js";

export interface ScriptHelpOptions {
	/** Milliseconds that the script may take. Default 10,000. */
	readonly timeoutMs?: number;
	/** Ends the script; the call rejects with its reason. */
	readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_CHARACTERS = 4_000;
const MAX_KEPT = 256;

/**
 * What scripts said, by what they were: asking a script takes a run of it. In memory alone, since what it says depends on more than its file, and gone
 * with the process.
 */
const kept = new Map<string, string | undefined>();

/**
 * What a script says of itself when it is run with `--help`: at most 4,000 characters, without colours. `undefined` where it does not end with exit code 0,
 * takes too long, says nothing or must not be run. It runs as a call of the tool would, confined and asked for likewise, and never unless this is
 * called; a script with the same content is run once in a process.
 *
 * Throws ConfigurationError for a tool that was not made of a script.
 */
export async function scriptHelp(tool: Tool, options: ScriptHelpOptions = {}): Promise<string | undefined> {
	checkNames("scriptHelp()", options, ["timeoutMs", "signal"]);
	const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
	checkMs("timeoutMs", timeoutMs, 1);
	checkSignal("scriptHelp()", signal);
	const source = scriptSourceOf(tool);
	if (source === undefined || tool.call === undefined) {
		throw new ConfigurationError(`scriptHelp() needs the tool of a script, as skill.scriptTools() gives them, got ${describeValue(tool)}.`);
	}
	signal?.throwIfAborted();
	const key = await keyOf(source);
	if (key !== undefined && kept.has(key)) return kept.get(key);
	const both = anySignal(signal, AbortSignal.timeout(timeoutMs));
	const { text, isError, script } = await tool.call(HELP_REQUEST, both === undefined ? {} : { signal: both });
	signal?.throwIfAborted();
	const help = isError ? undefined : shorten(seenText(stripVTControlCharacters(text)).trim(), MAX_CHARACTERS - 1) || undefined;
	const ended = script !== undefined && script.refusal === undefined && !script.timedOut && !script.aborted;
	if (key !== undefined && ended && key === (await keyOf(source))) keep(key, help);
	return help;
}

/** The same tool, described by what its script says of itself behind what it was described by; as it was where the script says nothing. */
export async function withScriptHelp(tool: Tool, options: ScriptHelpOptions = {}): Promise<Tool> {
	const help = await scriptHelp(tool, options);
	return help === undefined ? tool : Object.freeze({ ...tool, description: `${tool.description}\n\n${help}` });
}

function keep(key: string, help: string | undefined): void {
	const [oldest] = kept.keys();
	if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
	kept.set(key, help);
}

/** `undefined` for a file that cannot be read, of which nothing is kept. */
async function keyOf({ path, skillDir }: ScriptSource): Promise<string | undefined> {
	const hash = createHash("sha256");
	try {
		await pipeline(createReadStream(path), hash);
	} catch {
		return undefined;
	}
	return JSON.stringify([hash.digest("hex"), path, skillDir]);
}

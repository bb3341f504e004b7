import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import { checkNames } from "../options/check-options.js";
import { expandPath } from "../paths/expand-path.js";
import { describeValue, isRecord } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";

/** Bytes that were read already, and what they are. */
export interface AttachedData {
	/** Bytes, or text in base64. */
	readonly data: Uint8Array | string;
	/** An IANA media type: `"image/png"`. */
	readonly mediaType: string;
	/** The name under which the model sees it. Default: none. */
	readonly filename?: string;
}

/** A file that goes with a message: a path (`~` allowed), a `file:`, `http:` or `https:` URL, or its bytes. */
export type Attachment = string | URL | AttachedData;

/** A part of a user's message. */
export type AttachedPart = LanguageModelV4FilePart | LanguageModelV4TextPart;

/** Throws ConfigurationError for what is no attachment, without reading any. */
export function checkAttachments(given: unknown): void {
	const list: readonly unknown[] = Array.isArray(given) ? given : [given];
	for (const each of list) if (!isData(each)) placeOf(each);
}

/**
 * Reads what goes with a message. Text is put into the message below the file's name: every model takes text, few take it as a file. Throws
 * ConfigurationError for a file that cannot be read, and for what is no attachment.
 */
export function readAttachments(given: Attachment | readonly Attachment[]): Promise<readonly AttachedPart[]> {
	const list: readonly unknown[] = Array.isArray(given) ? given : [given];
	return Promise.all(list.map(readAttachment));
}

interface ReadFile extends AttachedData {
	readonly data: Uint8Array;
}

async function readAttachment(given: unknown): Promise<AttachedPart> {
	if (isData(given)) return partOf({ ...given, data: bytesOf(given) });
	const place = placeOf(given);
	if (typeof place === "string") return readLocal(expandPath(place));
	return place.protocol === "file:" ? readLocal(pathOf(place)) : linkTo(place);
}

/** A path, or an address of one of the three kinds. A text that begins as an address does is none of a path: one would look for it in vain. */
function placeOf(given: unknown): string | URL {
	const url = given instanceof URL ? new URL(given) : typeof given === "string" && ADDRESS.test(given) ? URL.parse(given) : undefined;
	if (url?.protocol === "data:") throw noDataUrl();
	if (url && PROTOCOLS.has(url.protocol)) return url;
	if (url !== undefined || typeof given !== "string" || given === "") throw noAttachment(given);
	return given;
}

const ADDRESS = /^(?:(?:https?|file|data):|[a-z][a-z\d+.-]+:\/\/)/i;
const PROTOCOLS: ReadonlySet<string> = new Set(["file:", "http:", "https:"]);

async function readLocal(path: string): Promise<AttachedPart> {
	const data = await readRegularFile(path).catch((cause: unknown) => {
		throw new ConfigurationError(`Cannot attach ${describeValue(path)}: ${messageOf(cause)}.`, { cause });
	});
	return partOf({ data, mediaType: (await typeOf(path)) ?? "application/octet-stream", filename: basename(path) });
}

/** A pipe or a device may have no end, and then neither had the run. */
async function readRegularFile(path: string): Promise<Uint8Array> {
	// so that to open a pipe does not wait for who writes into it
	await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
	const stats = await file.stat();
	if (!stats.isFile()) throw new Error(stats.isDirectory() ? "it is a directory" : "it is no regular file");
	// awaited: a failure that nobody holds while the file is being closed would end the process
	return await file.readFile();
}

function pathOf(url: URL): string {
	try {
		return fileURLToPath(url);
	} catch (cause) {
		throw new ConfigurationError(`Cannot attach ${describeValue(url.href)}: ${messageOf(cause)}.`, { cause });
	}
}

/** By what is in it, and not by its name, as `.ts` is a film to some: what is text is sent as text. A PDF may look like text, and is none. */
function partOf({ data, mediaType, filename: given }: ReadFile): AttachedPart {
	// a name may hold lines, and a model would read them as the message's own
	const filename = given?.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
	if (mediaType !== "application/pdf" && isUtf8(data) && !data.includes(0)) {
		const text = Buffer.from(data).toString("utf8");
		return { type: "text", text: filename === undefined ? text : `${filename}:\n\n${text}` };
	}
	return { type: "file", mediaType, data: { type: "data", data }, ...(filename !== undefined && { filename }) };
}

/** A copy, as it becomes part of the conversation: whoever gave the bytes may use theirs for something else. */
function bytesOf({ data, mediaType }: AttachedData): Uint8Array {
	// providers refuse an empty part, and with it every run that comes after
	if (data.length === 0) throw new ConfigurationError(`An attachment of the type ${describeValue(mediaType)} is empty. Leave it out.`);
	if (typeof data !== "string") return Uint8Array.from(data);
	// Node would skip what is no base64, and bytes that nobody meant were sent
	if (!/^[A-Za-z0-9+/_\s-]*={0,2}\s*$/.test(data)) throw notBase64(data);
	return Buffer.from(data, "base64");
}

/** The provider fetches it, or its package does. An address whose end tells nothing is taken for an image, as most are. */
async function linkTo(url: URL): Promise<AttachedPart> {
	return { type: "file", mediaType: (await typeOf(url.pathname)) ?? "image", data: { type: "url", url } };
}

/** Loaded when something is attached: most robots never do. */
const typeOf = async (path: string): Promise<string | null> => (await import("mime")).default.getType(path);

/** Throws ConfigurationError for what is meant as data, and has something that is none. */
function isData(value: unknown): value is AttachedData {
	if (!isRecord(value) || !("data" in value)) return false;
	checkNames("An attachment", value, ["data", "mediaType", "filename"]);
	const { data, mediaType, filename } = value;
	if ((typeof data !== "string" && !(data instanceof Uint8Array)) || typeof mediaType !== "string") return false;
	if (mediaType.trim() === "") throw blank("mediaType", mediaType, '"image/png"');
	if (filename !== undefined && (typeof filename !== "string" || filename.trim() === "")) throw blank("filename", filename, '"chart.png"');
	return true;
}

const blank = (key: string, value: unknown, example: string): ConfigurationError =>
	new ConfigurationError(`An attachment's ${key} must be a text that is not blank, as ${example}, got ${describeValue(value)}.`);

const noDataUrl = (): ConfigurationError =>
	new ConfigurationError("with takes files, and no data: URL. Give what is in it: { data, mediaType }, where data is bytes or base64.");

const noAttachment = (given: unknown): ConfigurationError =>
	new ConfigurationError(
		`with takes files: a path, a file:, http: or https: URL, or { data, mediaType }. It got ${describeValue(given instanceof URL ? given.href : given)}.`,
	);

const notBase64 = (data: string): ConfigurationError =>
	new ConfigurationError(
		`An attachment's data is bytes or base64, got the text ${describeValue(data)}. For text: new TextEncoder().encode(text).`,
	);

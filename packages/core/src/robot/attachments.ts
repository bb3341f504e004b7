import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import { ConfigurationError } from "../errors/configuration-error.js";
import { expandPath } from "../paths/expand-path.js";
import { describeValue } from "../text/describe-value.js";
import { messageOf } from "../tool/error-text.js";

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

/**
 * Reads what goes with a message. Text is put into the message below the file's name: every model takes text, few take it as a file. Throws
 * ConfigurationError for a file that cannot be read, and for what is no attachment.
 */
export function readAttachments(given: Attachment | readonly Attachment[]): Promise<readonly AttachedPart[]> {
	const list: readonly unknown[] = Array.isArray(given) ? given : [given];
	return Promise.all(list.map(readAttachment));
}

async function readAttachment(given: unknown): Promise<AttachedPart> {
	if (isData(given)) return partOf(given);
	const url = urlOf(given);
	if (url === undefined && typeof given === "string" && given !== "") return readLocal(expandPath(given));
	if (url?.protocol === "file:") return readLocal(fileURLToPath(url));
	if (url?.protocol === "http:" || url?.protocol === "https:") return linkTo(url);
	throw noAttachment(given);
}

async function readLocal(path: string): Promise<AttachedPart> {
	const data = await readFile(path).catch((cause: unknown) => {
		throw new ConfigurationError(`Cannot attach ${describeValue(path)}: ${messageOf(cause)}.`, { cause });
	});
	return partOf({ data, mediaType: (await typeOf(path)) ?? "application/octet-stream", filename: basename(path) });
}

/** By what is in it, and not by its name, as `.ts` is a film to some: what is text is sent as text. A PDF may look like text, and is none. */
function partOf({ data: given, mediaType, filename }: AttachedData): AttachedPart {
	const data = typeof given === "string" ? Buffer.from(given, "base64") : given;
	if (mediaType !== "application/pdf" && isUtf8(data) && !data.includes(0)) {
		const text = Buffer.from(data).toString("utf8");
		return { type: "text", text: filename === undefined ? text : `${filename}:\n\n${text}` };
	}
	return { type: "file", mediaType, data: { type: "data", data }, ...(filename !== undefined && { filename }) };
}

/** The provider fetches it, or its package does. An address whose end tells nothing is taken for an image, as most are. */
async function linkTo(url: URL): Promise<AttachedPart> {
	return { type: "file", mediaType: (await typeOf(url.pathname)) ?? "image", data: { type: "url", url } };
}

/** Loaded when something is attached: most robots never do. */
const typeOf = async (path: string): Promise<string | null> => (await import("mime")).default.getType(path);

function urlOf(given: unknown): URL | undefined {
	if (given instanceof URL) return given;
	return typeof given === "string" && /^(?:https?|file):/.test(given) ? (URL.parse(given) ?? undefined) : undefined;
}

function isData(value: unknown): value is AttachedData {
	if (typeof value !== "object" || value === null || !("data" in value) || !("mediaType" in value)) return false;
	return (typeof value.data === "string" || value.data instanceof Uint8Array) && typeof value.mediaType === "string";
}

const noAttachment = (given: unknown): ConfigurationError =>
	new ConfigurationError(
		`with takes files: a path, a file:, http: or https: URL, or { data, mediaType }. It got ${describeValue(given instanceof URL ? given.href : given)}.`,
	);

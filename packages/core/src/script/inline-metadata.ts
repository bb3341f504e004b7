import { isRecord } from "../text/describe-value.js";
import { messageOf } from "../text/message-of.js";

/** What a Python script says about itself to package managers, in a block of its own comments (PEP 723). */
export interface InlineMetadata {
	/** What has to be installed for it, each as `name`, `name>=1,<2` and so on. */
	readonly dependencies: readonly string[];
	/** The versions of Python it runs with, e.g. `">=3.11"`. */
	readonly requiresPython?: string;
}

/** A block that was read, or why it does not count, as a clause. */
export type ReadMetadata = { readonly ok: true; readonly value: InlineMetadata } | { readonly ok: false; readonly reason: string };

const OPENING = "# /// script";
const CLOSING = "# ///";

/** The inline metadata of a Python script; `undefined`: it has none. Nothing of it is run or installed. */
export async function readInlineMetadata(text: string): Promise<ReadMetadata | undefined> {
	const blocks = metadataBlocks(text);
	const [block] = blocks;
	if (block === undefined) return undefined;
	if (blocks.length > 1) return { ok: false, reason: `it has ${blocks.length} blocks "${OPENING}", and only one is allowed` };
	try {
		// For the few scripts that have such a block, and nobody else.
		const { parse } = await import("smol-toml");
		return fieldsOf(parse(block));
	} catch (error) {
		return { ok: false, reason: `its block "${OPENING}" is no TOML: ${messageOf(error).split("\n", 1)[0]}` };
	}
}

/** The blocks' text, comment marks taken off. A block goes on to the last line `# ///` before a line that is no comment; without one it is none. */
function metadataBlocks(text: string): readonly string[] {
	const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
	const blocks: string[] = [];
	for (let start = lines.indexOf(OPENING); start !== -1; start = lines.indexOf(OPENING, start + 1)) {
		const after = lines.findIndex((line, index) => index > start && line !== "#" && !line.startsWith("# "));
		const end = lines.lastIndexOf(CLOSING, (after === -1 ? lines.length : after) - 1);
		if (end <= start) continue;
		blocks.push(
			lines
				.slice(start + 1, end)
				.map((line) => line.slice(2))
				.join("\n"),
		);
		start = end;
	}
	return blocks;
}

function fieldsOf(metadata: Readonly<Record<string, unknown>>): ReadMetadata {
	const { dependencies = [], "requires-python": requiresPython } = isRecord(metadata) ? metadata : {};
	if (!Array.isArray(dependencies) || !dependencies.every((entry) => typeof entry === "string")) {
		return { ok: false, reason: "its dependencies are not a list of texts" };
	}
	if (requiresPython !== undefined && typeof requiresPython !== "string") return { ok: false, reason: "its requires-python is not a text" };
	return {
		ok: true,
		value: Object.freeze({ dependencies: Object.freeze([...dependencies]), ...(requiresPython !== undefined && { requiresPython }) }),
	};
}

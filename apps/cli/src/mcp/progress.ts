import type { ServerContext } from "@modelcontextprotocol/server";
import { printableLine } from "../render/printable.js";

/** Often enough for a person who watches, and for a client that waits for signs of life. */
const EVERY_MS = 500;
const MAX_MESSAGE = 200;

/** Tells a client that asked for it how much a script has written so far, with the latest line; `undefined` where it did not ask. */
export function progressOf({ _meta, notify }: ServerContext["mcpReq"]): ((chunk: string) => void) | undefined {
	const progressToken = _meta?.progressToken;
	if (progressToken === undefined) return undefined;
	let characters = 0;
	let toldAt = Number.NEGATIVE_INFINITY;
	return (chunk) => {
		characters += chunk.length;
		if (performance.now() - toldAt < EVERY_MS) return;
		toldAt = performance.now();
		const message = printableLine(chunk.trim().split("\n").at(-1) ?? "", MAX_MESSAGE);
		// who does not listen any more need not be told
		notify({ method: "notifications/progress", params: { progressToken, progress: characters, message } }).catch(() => {});
	};
}

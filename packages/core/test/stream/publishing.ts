import { StreamContext, type StreamContextOptions } from "../../src/stream/stream-context.js";
import type { PublishedEvent } from "../../src/stream/stream-event.js";

/** A context, and what it was heard to publish. */
export function recordedContext(options: Partial<StreamContextOptions> = {}): { context: StreamContext; published: PublishedEvent[] } {
	const published: PublishedEvent[] = [];
	const publish = (event: PublishedEvent): unknown => published.push(event);
	return { context: new StreamContext({ runId: "run-1", messageId: "message-1", scope: "network", publish, ...options }), published };
}

/** Until everything that was promised and can be kept has been. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The warnings of the process while something is done. */
export async function warningsDuring(deed: () => unknown): Promise<readonly (Error & { code?: string })[]> {
	const warnings: Error[] = [];
	const note = (warning: Error): unknown => warnings.push(warning);
	process.on("warning", note);
	await deed();
	await settled();
	process.off("warning", note);
	return warnings;
}
